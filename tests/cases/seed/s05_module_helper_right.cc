// A helper that moves a module, whose result is ignored: a module moves in place, so this is right.

#include <iostream>

#include "seed.h"

namespace {

struct NetImpl : torch::nn::Module {
  NetImpl() : conv(torch::nn::Conv2dOptions(3, 8, 3)), norm(8) {
    register_module("conv", conv);
    register_module("norm", norm);
  }

  torch::Tensor forward(torch::Tensor x) { return norm->forward(conv->forward(x)); }

  torch::nn::Conv2d conv;
  torch::nn::BatchNorm2d norm;
};
TORCH_MODULE(Net);

Net move_to_gpu(Net model) {
  if (torch::cuda::is_available()) model->to(torch::kCUDA);
  return model;
}

}  // namespace

int main() {
  torch::NoGradGuard no_grad;
  Net model;
  move_to_gpu(model);
  int on_device = 0, elsewhere = 0;
  for (const torch::Tensor& parameter : model->parameters()) {
    (parameter.is_cuda() ? on_device : elsewhere) += 1;
  }
  for (const torch::Tensor& buffer : model->buffers()) {
    (buffer.is_cuda() ? on_device : elsewhere) += 1;
  }
  std::cout << on_device << " on the device, " << elsewhere << " elsewhere\n";
  model->eval();
  torch::Tensor image = torch::ones({1, 3, 8, 8}, torch::Device(torch::kCUDA));
  std::cout << model->forward(image).device() << '\n';
}
// OUTPUT: 7 on the device, 0 elsewhere
// OUTPUT: cuda:0
