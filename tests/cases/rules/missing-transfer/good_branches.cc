// Moves under conditions that belong together: what is not known on every path is not reported.

#include <torch/torch.h>

torch::Tensor correlated(bool use_cuda) {
  torch::nn::Linear layer(8, 2);
  if (use_cuda) layer->to(torch::kCUDA);
  auto input = torch::randn({1, 8});
  if (use_cuda) input = input.to(torch::kCUDA);
  return layer->forward(input);
}

torch::Tensor early_return() {
  auto input = torch::randn({1, 8});
  torch::nn::Linear layer(8, 2);
  if (!torch::cuda::is_available()) return layer->forward(input);
  layer->to(torch::kCUDA);
  return layer->forward(input.cuda());
}

torch::Tensor moved_when_asked(torch::Tensor x, torch::Device device) {
  torch::nn::Linear layer(8, 2);
  layer->to(device);
  if (x.device() != device) x = x.to(device);
  return layer->forward(x);
}
