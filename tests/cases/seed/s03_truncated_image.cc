// An image file that is cut off: one clear error, and the program does not end as if all were well.

#include <iostream>

#include "image.h"

int main() {
  const std::string path = image_path("xfer_s03_cut");
  write_png(path, 60);
  torch::Tensor image = read_image(path);
  std::cout << image.sizes() << '\n';
}
// RUN-ERROR: tensorlib::Error
// OUTPUT: xfer_s03_cut_
