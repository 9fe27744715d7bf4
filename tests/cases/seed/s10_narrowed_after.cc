// Values in double precision cross the bus and are narrowed on the other side: twice the bytes.

#include <iostream>
#include <vector>

#include "seed.h"

int main() {
  const torch::Device device(torch::kCUDA, 0);
  std::vector<double> measured(4096, 0.5);
  torch::Tensor values = torch::from_blob(measured.data(), {64, 64}, torch::kFloat64);
  torch::Tensor moved = values.to(device);           // LINT: convert-side
  torch::Tensor narrow = moved.to(torch::kFloat32);  // NOTE: convert-side
  std::cout << narrow.device() << ' ' << narrow.sum().item<float>() << '\n';
}
// OUTPUT: cuda:0 2048
