// A device out of a list that has no others but those that may be CUDA.

#include <torch/torch.h>

#include <array>
#include <map>
#include <string>
#include <vector>

torch::Tensor of_one() {
  std::vector<torch::Device> devices = {torch::Device(torch::kCUDA, 0)};
  auto x = torch::rand({3, 3}).to(devices.front());
  auto y = torch::rand({3, 3});
  return x + y;  // LINT: missing-transfer
}

torch::Tensor of_two() {
  std::array<torch::Device, 2> devices = {torch::Device(torch::kCUDA, 0),
                                          torch::Device(torch::kCUDA, 1)};
  auto x = torch::rand({3, 3}).to(devices[1]);
  auto y = torch::rand({3, 3});
  return torch::mm(x, y);  // LINT: missing-transfer
}

torch::Tensor appended() {
  std::vector<torch::Device> devices;
  devices.push_back(torch::Device(torch::kCUDA, 0));
  devices.emplace_back(torch::kCUDA);
  auto x = torch::rand({3, 3}).to(devices[0]);
  return torch::mm(x, torch::rand({3, 3}));  // LINT: missing-transfer
}

torch::Tensor each() {
  std::vector<torch::Device> devices{torch::kCUDA};
  auto result = torch::zeros({3, 3});
  for (auto& device : devices) {
    auto x = torch::rand({3, 3}).to(device);
    result = torch::rand({3, 3}) + x;  // LINT: missing-transfer
  }
  return result;
}

torch::Tensor by_name() {
  std::map<std::string, torch::DeviceType> kinds;
  kinds["main"] = torch::kCUDA;
  auto x = torch::rand({3, 3}).to(kinds["main"]);
  return torch::mm(x, torch::rand({3, 3}));  // LINT: missing-transfer
}
