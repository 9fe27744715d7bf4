// A CPU tensor without dimensions mixes with a tensor of any device, as a number does.

#include <torch/torch.h>

torch::Tensor scaled() {
  auto gpu = torch::ones({4}, torch::kCUDA);
  auto a = gpu * torch::tensor(0.5);
  auto b = gpu + torch::scalar_tensor(1.0);
  auto c = gpu / torch::ones({2, 2}).sum();
  auto d = gpu * 2;
  auto e = torch::ones({}) * gpu;
  return a + b + c + d + e;
}
