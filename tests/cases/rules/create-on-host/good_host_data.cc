// The data is on the host.

#include <torch/torch.h>

#include <vector>

torch::Tensor from_values(std::vector<float>& values, torch::Device device) {
  auto a = torch::tensor({1.0, 2.0, 3.0}).to(device);
  auto b = torch::from_blob(values.data(), {3}).to(device);
  return a + b;
}
