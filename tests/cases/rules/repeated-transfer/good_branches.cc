// On every path there is one copy only.

#include <torch/torch.h>

torch::Tensor exclusive(torch::Device device, bool flag) {
  auto x = torch::randn({8});
  if (flag) {
    auto a = x.to(device);
    return a * 2;
  }
  auto b = x.to(device);
  return b * 3;
}

torch::Tensor moved_first(torch::Device device) {
  auto x = torch::randn({8});
  x = x.to(device);
  auto y = x.to(device);
  return x + y;
}

torch::Tensor perhaps_before(bool flag) {
  auto x = torch::randn({4, 4});
  torch::Tensor y;
  if (flag) y = x.cuda();
  auto z = x.cuda();
  return y.defined() ? y + z : z;
}
