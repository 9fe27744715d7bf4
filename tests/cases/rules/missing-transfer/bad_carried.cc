// An iteration leaves a tensor on another device for the next one: the second iteration fails.

#include <torch/torch.h>

torch::Tensor carried_step(const torch::Tensor& state) {
  return torch::rand({3, 3}) + state.sum().item<float>();
}

void carried_state(torch::nn::Linear& policy, torch::Device device) {
  policy->to(device);
  auto state = torch::rand({3, 3}).to(device);
  for (int step = 0; step < 10; ++step) {
    auto action = policy->forward(state);  // LINT: missing-transfer
    auto next = carried_step(action);
    state = next;
  }
}

void carried_while(torch::Device device, int left) {
  auto weight = torch::ones({3}, device);
  auto value = torch::ones({3}, device);
  while (left-- > 0) {
    value = value * weight;  // LINT: missing-transfer
    std::cout << value << '\n';
    value = value.cpu();
  }
}

void carried_two(torch::Device device) {
  auto hidden = torch::zeros({3}, device);
  auto cell = torch::zeros({3}, device);
  for (int t = 0; t < 5; ++t) {
    auto both = hidden + cell;  // LINT: missing-transfer
    hidden = both.tanh();
    cell = torch::zeros({3});
  }
}
