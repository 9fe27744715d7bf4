// The staging buffer is filled again while it is being copied.

#include <torch/torch.h>

torch::Tensor filled_again() {
  const torch::Tensor next = torch::rand({8});
  torch::Tensor staging = torch::empty({8}, torch::TensorOptions().pinned_memory(true));
  torch::Tensor x = staging.to(torch::kCUDA, /*non_blocking=*/true);  // NOTE: async-source-reuse
  staging.copy_(next);                                                // LINT: async-source-reuse
  return x;
}

torch::Tensor in_a_loop(int steps) {
  torch::Tensor staging = torch::zeros({8}).pin_memory();
  torch::Tensor sum = torch::zeros({8}, torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    staging.fill_(step);  // LINT: async-source-reuse
    sum += staging.to(torch::kCUDA, true);
  }
  return sum;
}

torch::Tensor a_part(torch::Tensor given) {
  torch::Tensor staging = given.to(torch::kCPU).pin_memory();
  torch::Tensor x = staging.to(torch::kCUDA, true);
  staging[0].zero_();  // LINT: async-source-reuse
  return x;
}
