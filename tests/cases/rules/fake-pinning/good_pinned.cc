// Memory that is pinned.

#include <torch/torch.h>

#include <vector>

torch::Tensor made() {
  auto options = torch::TensorOptions().pinned_memory(true);
  return torch::empty({8}, options);
}

torch::Tensor copied(std::vector<float>& values) {
  return torch::from_blob(values.data(), {8}).pin_memory();
}
