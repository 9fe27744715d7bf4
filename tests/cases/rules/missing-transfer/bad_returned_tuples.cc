// A function returns a tuple: each of its parts is where the function put that.

#include <torch/torch.h>

#include <tuple>
#include <utility>
#include <vector>

namespace returned_tuples {

std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> sample(torch::Tensor state,
                                                               const std::vector<float>& rewards) {
  return {torch::stack({state}), state.to(torch::kCUDA), torch::tensor(rewards)};
}

std::pair<torch::Tensor, torch::Tensor> half_moved(torch::Device device) {
  return {torch::ones({2, 2}).to(device), torch::ones({2, 2})};
}

torch::Tensor bound(torch::Tensor state) {
  auto [states, moved, rewards] = sample(state, {1, 2});
  return torch::mm(torch::ones({2, 2}, torch::kCUDA), rewards);  // LINT: missing-transfer
}

torch::Tensor by_number(torch::Tensor state) {
  auto all = sample(state, {1, 2});
  return torch::mm(std::get<1>(all), std::get<2>(all));  // LINT: missing-transfer
}

torch::Tensor members() {
  auto both = half_moved(torch::kCUDA);
  return torch::mm(both.first, both.second);  // LINT: missing-transfer
}

torch::Tensor tied(torch::Device device) {
  torch::Tensor there, here;
  std::tie(there, here) = half_moved(device);
  return torch::mm(there, here);  // LINT: missing-transfer
}

}  // namespace returned_tuples
