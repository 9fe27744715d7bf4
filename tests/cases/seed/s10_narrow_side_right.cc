// Each conversion stands where fewer bytes cross: narrow before the move, widen after it.

#include <cstdint>
#include <iostream>
#include <vector>

#include "seed.h"

int main() {
  const torch::Device device(torch::kCUDA, 0);
  std::vector<double> measured(4096, 0.5);
  torch::Tensor values = torch::from_blob(measured.data(), {64, 64}, torch::kFloat64);
  torch::Tensor narrow = values.to(torch::kFloat32).to(device);

  std::vector<std::uint8_t> pixels(3 * 32 * 32, 2);
  torch::Tensor image = torch::from_blob(pixels.data(), {3, 32, 32}, torch::kUInt8);
  torch::Tensor input = image.to(device).to(torch::kFloat32);
  std::cout << narrow.sum().item<float>() << ' ' << input.sum().item<float>() << '\n';
}
// OUTPUT: 2048 6144
