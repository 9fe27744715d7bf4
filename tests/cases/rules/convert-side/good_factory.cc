// Fresh from a factory: it could be made as it is wanted, where it is wanted (create-on-host says
// so).

#include <torch/torch.h>

torch::Tensor tokens(torch::Device device) {
  return torch::zeros({4, 7}).to(torch::kLong).to(device);
}

torch::Tensor lengths(torch::Device device) {
  auto ones = torch::ones({3, 4});
  auto wide = (ones * 2).to(torch::kFloat64);
  return wide.to(device);
}

torch::Tensor mask(torch::Device device) {
  return torch::full({8, 8}, 1, torch::kUInt8).triu(1).to(torch::kFloat).to(device);
}
