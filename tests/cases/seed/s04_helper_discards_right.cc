// A helper that returns the moved tensor: one copy, and the product is made on the device.

#include <iostream>

#include "seed.h"

namespace {

torch::Tensor move_to_gpu(torch::Tensor tensor) {
  if (torch::cuda::is_available()) {
    return tensor.to(torch::kCUDA);
  }
  return tensor;
}

}  // namespace

int main() {
  torch::Tensor x = move_to_gpu(torch::ones({4, 8}));
  torch::Tensor product = x.matmul(x.t());
  std::cout << product.sizes() << " on " << product.device() << '\n';
  std::cout << "one element: " << product[1][2].item<float>() << '\n';
}
// OUTPUT: [4, 4] on cuda:0
// OUTPUT: one element: 8
