// Code that the flow does not see reads the copy.

#include <torch/torch.h>

#include <functional>

std::function<torch::Tensor()> captured(torch::Tensor x, torch::Device device) {
  auto y = x.to(device);
  return [y] { return y * 2; };
}

float captured_by_reference(torch::Tensor x, torch::Device device) {
  torch::Tensor y;
  auto read = [&] { return y.sum().item<float>(); };
  y = x.to(device);
  return read();
}

struct Holder {
  torch::Tensor data;
  void keep(torch::Tensor x, torch::Device device) { data = x.to(device); }
};

void address(torch::Tensor x, torch::Tensor* out, torch::Device device) {
  torch::Tensor y = x.to(device);
  torch::Tensor* p = &y;
  *out = *p;
}

torch::Tensor last;
void global(torch::Tensor x) { last = x.cuda(); }

void take(torch::Tensor& x);

void by_a_callee(torch::Tensor x, torch::Device device) {
  torch::Tensor y = x.to(device);
  take(y);
}

torch::Tensor under_another_name(torch::Tensor x, torch::Device device) {
  torch::Tensor y = x.to(device);
  const torch::Tensor& name = y;
  return name.sum();
}

void copied(torch::Tensor x, torch::Device device) {
  torch::Tensor y = x.to(device), z = y;
}
