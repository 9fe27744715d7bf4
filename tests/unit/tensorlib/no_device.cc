// Asks for a device that is not there and prints the error. Where there are eight GPUs: skipped.
#include <tensorlib/tensorlib.h>

#include <iostream>

int main() {
  try {
    (void)tensorlib::ones({1}, "cuda:7");
  } catch (const tensorlib::DeviceError& error) {
    std::cout << error.what() << std::endl;
    return 1;
  }
  return 77;
}
