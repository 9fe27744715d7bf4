// An image read from a file, moved and classified; a missing file and one that is no image say so.

#include <exception>
#include <filesystem>
#include <iostream>

#include "image.h"

int main() {
  const std::string path = image_path("xfer_s03_image");
  write_png(path, 1000);
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::NoGradGuard no_grad;
  torch::nn::Conv2d model(torch::nn::Conv2dOptions(1, 4, 2));
  model->to(device);
  torch::Tensor image = read_image(path).to(device).to(torch::kFloat) / 255;
  torch::Tensor scores = model->forward(image.unsqueeze(0));
  std::cout << scores.sizes() << " on " << scores.device() << '\n';
  std::filesystem::remove(path);
  try {
    image = read_image(path);
  } catch (const std::exception& error) {
    std::cout << error.what() << '\n';
  }
}
// OUTPUT: [1, 4, 1, 1] on cuda:0
// OUTPUT: read_image
// OUTPUT: cannot be opened
