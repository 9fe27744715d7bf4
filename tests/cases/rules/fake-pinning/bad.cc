// from_blob does not pin.

#include <torch/torch.h>

#include <vector>

torch::Tensor vector(std::vector<float>& values) {
  auto options = torch::TensorOptions().dtype(torch::kFloat32).pinned_memory(true);
  return torch::from_blob(values.data(), {8}, options).to(torch::kCUDA);  // LINT: fake-pinning
}

torch::Tensor array() {
  float values[8] = {};
  auto x = torch::from_blob(values, {8}, torch::TensorOptions().pinned_memory(true));  // LINT: fake-pinning
  return x.clone();
}

torch::Tensor element(std::vector<float>& values) {
  return torch::from_blob(  // LINT: fake-pinning
             &values[4], {4}, torch::dtype(torch::kFloat32).pinned_memory(true))
      .clone();
}
