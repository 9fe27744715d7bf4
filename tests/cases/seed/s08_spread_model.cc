// A model whose parts are on different devices has no one device to move an input to.

#include <iostream>

#include "seed.h"

namespace {

struct NetImpl : torch::nn::Module {
  NetImpl() : first(8, 4), second(4, 2) {
    register_module("first", first);
    register_module("second", second);
  }
  torch::nn::Linear first, second;
};
TORCH_MODULE(Net);

}  // namespace

int main() {
  Net model;
  model->first->to(torch::Device(torch::kCUDA, 0));
#ifndef XFER_CASES_TORCH
  const torch::Device device = model->device();  // NAMED
  std::cout << device << '\n';
#endif
}
// RUN-ERROR: DeviceError
