// Parts of tuples: the same part is the same tensor.

#include <torch/torch.h>

#include <tuple>

void of_a_parameter(std::tuple<torch::Tensor, torch::Tensor> pair) {
  auto first = std::get<0>(pair).to(torch::kCUDA);
  auto again = std::get<0>(pair).to(torch::kCUDA);  // LINT: repeated-transfer
  (first + again).sum();
}

void of_a_result(const torch::Tensor& scores) {
  auto best = torch::max(scores.cpu(), 1);
  auto index = std::get<1>(best).to(torch::kCUDA);
  auto again = std::get<1>(best).to(torch::kCUDA);  // LINT: repeated-transfer
  (index + again).sum();
}

void assigned(std::tuple<torch::Tensor, torch::Tensor> pair) {
  std::get<0>(pair) = torch::ones({4});
  auto first = std::get<0>(pair).to(torch::kCUDA);
  auto again = std::get<0>(pair).to(torch::kCUDA);  // LINT: repeated-transfer
  (first + again).sum();
}
