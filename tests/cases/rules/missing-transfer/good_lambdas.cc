// A lambda that somebody else may call.

#include <torch/torch.h>

#include <functional>

void later(std::function<void(int)> what);
void given_away() {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  auto x = torch::ones({8, 8});
  auto upload = [&](int) { x = x.to(torch::kCUDA); };
  later(upload);
  model->forward(x);
}
