// Elements of lists that a function which is given one of them by reference leaves where they are.

#include <torch/torch.h>

#include <vector>

void clear(torch::Tensor& x) { x.zero_(); }

torch::Tensor cleared() {
  std::vector<torch::Tensor> list{torch::ones({2, 3})};
  clear(list[0]);
  return list[0] + torch::ones({2, 3}).to(torch::kCUDA);  // LINT: missing-transfer
}
