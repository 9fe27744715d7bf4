// Compiled by no_torch_script.cmake: each use of TorchScript must be refused, with one error that
// says why and what to do; without them a program that includes <torch/script.h> compiles.
#include <torch/script.h>

int main() {
  torch::Tensor x = torch::ones({2});
#if WRONG == 1
  torch::jit::script::Module module = torch::jit::load("model.pt");
  module.eval();
  module.to(torch::kCUDA);
  x = module.forward({x}).toTensor();
#elif WRONG == 2
  torch::jit::script::Module module;
  module.eval();
#elif WRONG == 3
  auto module = torch::jit::load("model.pt", torch::kCUDA);
  x = module.forward({x}).toTensor();
#endif
}
