// Texts that name another device the next time, or the CPU.

#include <torch/torch.h>

#include <string>

void assigned(const torch::Tensor& batch, std::string device) {
  auto data = batch.cpu();
  auto first = data.to(device);
  device = "cuda:1";
  auto again = data.to(device);
  first.sum().cpu() + again.sum().cpu();
}

void read(std::string& device);

void given(const torch::Tensor& batch, std::string device) {
  auto data = batch.cpu();
  auto first = data.to(device);
  read(device);
  auto again = data.to(device);
  first.sum().cpu() + again.sum().cpu();
}

void grown(const torch::Tensor& batch, int rank) {
  auto data = batch.cpu();
  std::string device = "cuda:";
  device += std::to_string(rank);
  auto first = data.to(device);
  std::string other = "cuda:";
  other += std::to_string(rank + 1);
  auto again = data.to(other);
  first.sum().cpu() + again.sum().cpu();
}

void the_cpu() {
  std::string device = "cpu";
  torch::nn::Linear net(4, 4);
  net->to(device);
  net->forward(torch::zeros({2, 4}));
}
