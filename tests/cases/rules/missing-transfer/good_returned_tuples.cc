// The parts of a returned tuple fit, or nothing says where they are.

#include <torch/torch.h>

#include <tuple>
#include <utility>
#include <vector>

namespace returned_tuples {

std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> sample(torch::Tensor state,
                                                               const std::vector<float>& rewards) {
  return {torch::stack({state}), state.to(torch::kCUDA), torch::tensor(rewards)};
}

std::pair<torch::Tensor, torch::Tensor> either(bool there) {
  if (there) return {torch::ones({2, 2}, torch::kCUDA), torch::ones({2, 2}, torch::kCUDA)};
  return {torch::ones({2, 2}), torch::ones({2, 2})};
}

torch::Tensor the_moved_one(torch::Tensor state) {
  auto [states, moved, rewards] = sample(state, {1, 2});
  return torch::mm(torch::ones({2, 2}, torch::kCUDA), moved);
}

torch::Tensor moved_later(torch::Tensor state) {
  auto [states, moved, rewards] = sample(state, {1, 2});
  rewards = rewards.to(torch::kCUDA);
  return torch::mm(moved, rewards);
}

torch::Tensor given_there(torch::Tensor state) {
  auto [states, moved, rewards] = sample(state.cuda(), {1, 2});
  return torch::mm(states, moved);
}

torch::Tensor of_either(bool there) {
  auto both = either(there);
  return torch::mm(both.first, both.second);
}

torch::Tensor of_either_and_one(bool there) {
  auto [first, second] = either(there);
  return there ? torch::mm(first, torch::ones({2, 2}, torch::kCUDA)) : second;
}

}  // namespace returned_tuples
