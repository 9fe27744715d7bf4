// Tensors whose options do not say that their memory is pinned.

#include <torch/torch.h>

#include <vector>

torch::Tensor plain(std::vector<float>& values) {
  return torch::from_blob(values.data(), {8}).clone();
}

torch::Tensor no(std::vector<float>& values) {
  return torch::from_blob(values.data(), {8}, torch::TensorOptions().pinned_memory(false)).clone();
}

torch::Tensor changed_later(std::vector<float>& values) {
  auto options = torch::TensorOptions().pinned_memory(true);
  options = options.pinned_memory(false);
  return torch::from_blob(values.data(), {8}, options).clone();
}
