// The same operations with everything at one place; a mask that indexes may be on the CPU, and a
// value without dimensions is one.

#include <torch/torch.h>

torch::Tensor masks(torch::Device device) {
  auto x = torch::randn({3, 3}, device);
  auto mask = torch::randn({3, 3}).to(device) > 0;
  auto y = x.masked_fill(mask, torch::tensor(2.0)) + torch::where(mask, x, x.log1p());
  y.masked_fill_(x.isnan(), 0);
  y.index_put_({torch::randn({3, 3}) > 0}, 1);
  return y + x.clamp_max(1).tril() * torch::gelu(x).cumsum(1);
}

torch::Tensor bits() {
  auto gpu = torch::arange(4).cuda();
  auto other = torch::arange(4).to(gpu.device());
  gpu.remainder_(other + 1);
  return (gpu & other) ^ gpu.bitwise_or(other) % (other + 1);
}
