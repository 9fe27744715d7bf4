// Parts of tuples: other parts, and parts that were given another value.

#include <torch/torch.h>

#include <tuple>

void of_a_parameter(std::tuple<torch::Tensor, torch::Tensor> pair) {
  auto first = std::get<0>(pair).to(torch::kCUDA);
  auto second = std::get<1>(pair).to(torch::kCUDA);
  (first + second).sum();
}

void assigned(std::tuple<torch::Tensor, torch::Tensor> pair) {
  auto first = std::get<0>(pair).to(torch::kCUDA);
  std::get<0>(pair) = torch::ones({4});
  auto again = std::get<0>(pair).to(torch::kCUDA);
  (first + again).sum();
}

void all_of_it(std::tuple<torch::Tensor, torch::Tensor> pair) {
  auto first = std::get<0>(pair).to(torch::kCUDA);
  pair = std::make_tuple(torch::ones({4}), torch::ones({4}));
  auto again = std::get<0>(pair).to(torch::kCUDA);
  (first + again).sum();
}

void change(std::tuple<torch::Tensor, torch::Tensor>& pair);

void by_others(std::tuple<torch::Tensor, torch::Tensor> pair) {
  auto first = std::get<0>(pair).to(torch::kCUDA);
  change(pair);
  auto again = std::get<0>(pair).to(torch::kCUDA);
  (first + again).sum();
}

void through_a_reference(std::tuple<torch::Tensor, torch::Tensor> pair) {
  auto first = std::get<0>(pair).to(torch::kCUDA);
  auto& part = std::get<0>(pair);
  part = torch::ones({4});
  auto again = std::get<0>(pair).to(torch::kCUDA);
  (first + again).sum();
}
