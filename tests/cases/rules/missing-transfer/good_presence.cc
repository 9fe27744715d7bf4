// A function uses its optional tensor where it gets one; where it gets none, or asks for more.

#include <torch/torch.h>

torch::Tensor loss(torch::nn::Linear net, const torch::Tensor& x, const torch::Tensor& targets) {
  auto out = net->forward(x);
  if (targets.defined()) out = torch::mse_loss(out, targets);
  return out;
}

torch::Tensor on_demand(torch::nn::Linear net, const torch::Tensor& x,
                        const torch::Tensor& targets, bool wanted) {
  auto out = net->forward(x);
  if (targets.defined() && wanted) out = torch::mse_loss(out, targets);
  return out;
}

// The condition is about another one.
torch::Tensor beside(torch::nn::Linear net, const torch::Tensor& x, const torch::Tensor& bias,
                     const torch::Tensor& mask) {
  auto out = net->forward(x);
  if (mask.defined()) out = out + bias;
  return out;
}

torch::Tensor small(torch::nn::Linear net, const torch::Tensor& x, const torch::Tensor& targets) {
  auto out = net->forward(x);
  if (targets.numel() < 8) out = torch::mse_loss(out.cpu(), targets);
  if (targets.numel() > 100) out = torch::mse_loss(out, targets);
  return out;
}

void run() {
  torch::nn::Linear net(8, 8);
  net->to(torch::kCUDA);
  auto x = torch::ones({8, 8}, torch::kCUDA);
  loss(net, x, torch::Tensor());
  loss(net, x, torch::ones({8, 8}, torch::kCUDA));
  on_demand(net, x, torch::ones({8, 8}), false);
  beside(net, x, torch::ones({8}), torch::Tensor());
  small(net, x, torch::ones({4}));
}
