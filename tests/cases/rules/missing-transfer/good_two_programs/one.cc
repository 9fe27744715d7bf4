// Two programs with functions of one name. This one is on CUDA.

#include <torch/torch.h>

torch::Tensor run(torch::nn::Linear net, torch::Tensor x) { return net->forward(x); }

int main() {
  torch::nn::Linear net(8, 8);
  net->to(torch::kCUDA);
  run(net, torch::ones({8, 8}).to(torch::kCUDA));
  return 0;
}
