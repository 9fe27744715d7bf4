#include "stages.h"

int main() {
  torch::Device device(torch::kCUDA);
  auto x = torch::rand({3}).to(device);

  HeldStage stage;
  stage.run = held_scale;
  auto y = stage.run(x);

  // A capture is where it was when the lambda was made.
  auto weights = torch::rand({3});
  auto bias = torch::rand({3}).to(device);
  HeldHook hook;
  hook.set([weights, bias](torch::Tensor t) {
    auto moved = t + bias;
    return moved * weights;  // LINT: missing-transfer
  });
  y = hook.run(x);

  HeldSteps steps;
  steps.add("shift", [](torch::Tensor t) {
    return t + torch::ones({3});  // LINT: missing-transfer
  });
  auto all = steps.run(x);

  HeldLosses losses;
  auto loss = losses.of("l1", x, x + 1);

  // The result of such a function.
  std::function<torch::Tensor(int)> make = [](int n) { return torch::rand({n}); };
  auto made = make(3);
  y = made + x;  // LINT: missing-transfer
}
