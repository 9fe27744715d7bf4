// Calls that are made to cross the border, and modules that fetch their input themselves.

#include <torch/torch.h>

struct FetchingImpl : torch::nn::Module {
  FetchingImpl() : fc(register_module("fc", torch::nn::Linear(8, 2))) {}
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x.to(fc->weight.device())); }
  torch::nn::Linear fc;
};
TORCH_MODULE(Fetching);

void copies() {
  auto gpu = torch::zeros({4}, torch::kCUDA);
  auto cpu = torch::ones({4});
  gpu.copy_(cpu);
  cpu.copy_(gpu);
  auto moved = cpu.to(gpu.device());
  auto same = cpu.to(gpu);
  auto sum = gpu + moved + same;
}

torch::Tensor fetches() {
  Fetching net;
  net->to(torch::kCUDA);
  return net->forward(torch::randn({1, 8}));
}

torch::Tensor indices() {
  auto gpu = torch::zeros({4}, torch::kCUDA);
  auto where = torch::tensor({0, 2});
  return gpu.index({where});
}
