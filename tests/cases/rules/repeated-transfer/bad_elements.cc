// The same element of a list, an array or a map, copied twice.

#include <torch/torch.h>

#include <array>
#include <map>
#include <string>
#include <vector>

float one_index(std::vector<torch::Tensor> parts) {
  torch::Device device(torch::kCUDA);
  auto a = parts[0].to(device);
  auto b = parts[0].to(device);  // LINT: repeated-transfer
  auto c = parts[1].to(device);
  return (a + b + c).sum().item<float>();
}

float by_another_way() {
  std::vector<torch::Tensor> parts{torch::rand({3}), torch::rand({3})};
  auto a = parts[1].to(torch::kCUDA);
  auto b = parts.at(1).to(torch::kCUDA);  // LINT: repeated-transfer
  return (a + b).sum().item<float>();
}

float one_variable(std::vector<torch::Tensor> parts) {
  float sum = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    auto a = parts[i].to(torch::kCUDA);
    sum += a.sum().item<float>();
    auto b = parts[i].to(torch::kCUDA);  // LINT: repeated-transfer
    sum += (a * b).mean().item<float>();
  }
  return sum;
}

float one_key() {
  std::map<std::string, torch::Tensor> batch;
  batch["image"] = torch::rand({3});
  batch["mask"] = torch::rand({3});
  auto a = batch["image"].to(torch::kCUDA);
  auto b = batch["mask"].to(torch::kCUDA);
  auto c = batch["image"].to(torch::kCUDA);     // LINT: repeated-transfer
  auto d = batch.at("mask").to(torch::kCUDA);  // LINT: repeated-transfer
  return (a + b + c + d).sum().item<float>();
}

float arrays() {
  std::array<torch::Tensor, 2> pair{torch::rand({3}), torch::rand({3})};
  torch::Tensor plain[2] = {torch::rand({3}), torch::rand({3})};
  auto a = pair[0].to(torch::kCUDA);
  auto b = pair[0].to(torch::kCUDA);  // LINT: repeated-transfer
  auto c = plain[1].to(torch::kCUDA);
  auto d = plain[1].to(torch::kCUDA);  // LINT: repeated-transfer
  return (a + b + c + d).sum().item<float>();
}
