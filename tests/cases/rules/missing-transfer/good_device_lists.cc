// Devices out of lists: the same one, one of several, or one that the list's caller knows.

#include <torch/torch.h>

#include <vector>

void fill_devices(std::vector<torch::Device>& devices);

torch::Tensor mixed() {
  std::vector<torch::Device> devices = {torch::kCUDA, torch::kCPU};
  auto x = torch::rand({3, 3}).to(devices[1]);
  return x + torch::rand({3, 3});
}

torch::Tensor mixed_later() {
  std::vector<torch::Device> devices = {torch::kCUDA};
  devices[0] = torch::kCPU;
  std::vector<torch::Device> others = {torch::kCUDA};
  others.clear();
  fill_devices(others);
  auto x = torch::rand({3, 3}).to(devices[0]) + torch::rand({3, 3}).to(others[0]);
  return x + torch::rand({3, 3});
}

torch::Tensor same_element() {
  std::vector<torch::Device> devices = {torch::kCUDA};
  auto x = torch::rand({3, 3}).to(devices[0]);
  auto y = torch::rand({3, 3}).to(devices[0]);
  torch::nn::Linear net(3, 3);
  net->to(devices.front());
  return net->forward(x + y);
}

torch::Tensor two_devices() {
  std::vector<torch::Device> devices = {torch::Device(torch::kCUDA, 0),
                                        torch::Device(torch::kCUDA, 1)};
  auto x = torch::rand({3, 3}).to(devices[0]);
  auto y = torch::rand({3, 3}).to(devices[1]);
  return x.to(devices[1]) + y;
}

torch::Tensor chosen() {
  std::vector<torch::Device> devices;
  if (torch::cuda::is_available())
    devices.push_back(torch::kCUDA);
  else
    devices.push_back(torch::kCPU);
  auto x = torch::rand({3, 3}).to(devices[0]);
  return x + torch::rand({3, 3}).to(devices[0]);
}

torch::Tensor handed(const std::vector<torch::Device>& devices) {
  auto x = torch::rand({3, 3}).to(devices[0]);
  auto y = torch::rand({3, 3}, devices[0]);
  return torch::mm(x, y);
}

torch::Tensor counted(int64_t count) {
  std::vector<torch::Device> devices;
  for (int64_t i = 0; i < count; ++i) devices.emplace_back(torch::kCUDA, i);
  if (devices.empty()) devices.push_back(torch::kCPU);
  auto x = torch::rand({3, 3}).to(devices[0]);
  return x + torch::rand({3, 3}).to(devices[0]) + handed({torch::kCPU});
}
