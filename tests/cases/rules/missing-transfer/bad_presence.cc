// A function uses its optional tensor where it gets one.

#include <torch/torch.h>

torch::Tensor loss(torch::nn::Linear net, const torch::Tensor& x, const torch::Tensor& targets) {
  auto out = net->forward(x);
  if (targets.defined()) out = torch::mse_loss(out, targets);
  return out;
}

torch::Tensor masked(torch::nn::Linear net, const torch::Tensor& x,
                     c10::optional<torch::Tensor> mask) {
  auto out = net->forward(x);
  if (mask.has_value()) out = out.masked_fill(*mask, 0);
  return out;
}

void run() {
  torch::nn::Linear net(8, 8);
  net->to(torch::kCUDA);
  auto x = torch::ones({8, 8}, torch::kCUDA);
  loss(net, x, torch::ones({8, 8}));  // LINT: missing-transfer
  masked(net, x, torch::ones({8, 8}, torch::kBool));  // LINT: missing-transfer
}
