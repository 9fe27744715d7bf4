// A copy to the host that does not block is read before anything has waited for it.

#include <iostream>

#include "seed.h"

int main() {
  const torch::Device device(torch::kCUDA, 0);
  torch::Tensor scores = torch::full({64, 64}, 2.0, device) * 3.0;
  torch::Tensor host = scores.to(torch::kCPU, /*non_blocking=*/true);  // NOTE: read-before-sync
  // LINT: read-before-sync
  // TRACE: read-before-sync
  const float total = host.sum().item<float>();
  std::cout << (total == total ? "read" : "not a number") << '\n';
}
