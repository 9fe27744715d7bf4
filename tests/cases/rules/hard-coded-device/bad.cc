// A constant beside a device that says where to go.

#include <torch/torch.h>

torch::Tensor given(torch::Tensor x, torch::Device device) {
  auto mask = torch::ones({64}, torch::kCUDA);  // LINT: hard-coded-device
  x = x.cuda();                                 // LINT: hard-coded-device
  return x * mask;
}

torch::Tensor chosen(torch::nn::Linear net) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  net->to(torch::Device(torch::kCUDA, 0));  // LINT: hard-coded-device
  return torch::randn({8}, torch::TensorOptions().device(torch::kCUDA)).to(device);  // LINT: hard-coded-device
}

class Agent {
 public:
  explicit Agent(torch::Device device) : device_(device) {}
  torch::Tensor wrong(torch::Tensor x) { return x.to(torch::kCUDA); }  // LINT: hard-coded-device
  torch::Tensor right(torch::Tensor x) { return x.to(device_).to(torch::kCPU); }

 private:
  torch::Device device_;
};
