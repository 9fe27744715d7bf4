// An iteration leaves a tensor on another device, and no other iteration uses it there.

#include <torch/torch.h>

// Moved before the next one.
void carried_moved(torch::nn::Linear& policy, torch::Device device) {
  policy->to(device);
  auto state = torch::rand({3, 3});
  for (int step = 0; step < 10; ++step) {
    state = state.to(device);
    auto action = policy->forward(state);
    state = torch::rand({3, 3}) + action.sum().item<float>();
  }
}

// The loop ends when it is elsewhere.
void carried_to_the_end(torch::Device device) {
  auto weight = torch::ones({3}, device);
  auto value = torch::ones({3}, device);
  while (true) {
    value = value * weight;
    if (value.sum().item<float>() > 3) {
      value = value.cpu();
      break;
    }
  }
  std::cout << value << '\n';
}

// It goes on only where it was moved back.
void carried_by_a_branch(torch::Device device, bool back) {
  auto weight = torch::ones({3}, device);
  auto value = torch::ones({3}, device);
  for (int t = 0; t < 5; ++t) {
    value = value * weight;
    value = value.cpu();
    if (!back) return;
    value = value.to(device);
  }
}

// Once only.
void carried_once(torch::Device device) {
  auto weight = torch::ones({3}, device);
  auto value = torch::ones({3}, device);
  do {
    value = value * weight;
    value = value.cpu();
  } while (false);
  std::cout << value << '\n';
}

// The first turn alone meets it.
void carried_first(torch::Device device) {
  auto weight = torch::ones({3}, device);
  torch::Tensor last;
  for (int t = 0; t < 5; ++t) {
    auto value = torch::ones({3}, device);
    if (t == 0) value = value * weight;
    weight = weight.cpu();
  }
}

// An index and a scalar may be on the CPU.
void carried_scalar(torch::Device device) {
  auto weight = torch::ones({3}, device);
  auto factor = torch::ones({}, device);
  for (int t = 0; t < 5; ++t) {
    weight = weight * factor;
    factor = torch::scalar_tensor(2.0);
  }
}
