// An image of bytes is widened on the CPU and then moved: four times the bytes.

#include <cstdint>
#include <iostream>
#include <vector>

#include "seed.h"

int main() {
  const torch::Device device(torch::kCUDA, 0);
  std::vector<std::uint8_t> pixels(3 * 32 * 32, 2);
  torch::Tensor image = torch::from_blob(pixels.data(), {3, 32, 32}, torch::kUInt8);
  torch::Tensor input = image.to(torch::kFloat32).to(device);  // LINT: convert-side
  std::cout << input.device() << ' ' << input.sum().item<float>() << '\n';
}
// OUTPUT: cuda:0 6144
