// A helper that is to move a tensor throws the moved one away.

#include <iostream>

#include "seed.h"

namespace {

torch::Tensor move_to_gpu(torch::Tensor tensor) {
  if (torch::cuda::is_available()) {
    tensor.to(torch::kCUDA);  // LINT: discarded-transfer, fix  // TRACE: unused-transfer
  }
  return tensor;
}

}  // namespace

int main() {
  torch::Tensor x = move_to_gpu(torch::ones({4, 8}));
  torch::Tensor product = x.matmul(x.t());
  std::cout << product.sizes() << " on " << product.device() << '\n';
}
// OUTPUT: [4, 4] on cpu
