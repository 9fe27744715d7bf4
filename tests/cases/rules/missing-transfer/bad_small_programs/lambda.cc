// A lambda writes the elements of a tensor where nobody follows: it stays where it is.

#include <torch/torch.h>

#include <functional>

void enqueue(std::function<void()> job);

int main() {
  torch::nn::Linear net(8, 8);
  net->to(torch::kCUDA);
  torch::Tensor x = torch::zeros({8, 8});
  enqueue([&x] { x[0] = torch::ones({8}); });
  net->forward(x);  // LINT: missing-transfer
  torch::Tensor y = torch::zeros({8, 8});
  enqueue([&y] { y = y.cuda(); });
  net->forward(y);
  return 0;
}
