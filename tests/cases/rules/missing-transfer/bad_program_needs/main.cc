// Most calls give all that the network's methods take on the device, one does not: that is told at
// the one, though its own function does not know where the network's results are.

#include "policy.h"

namespace {

class MaskedTrainer {
 public:
  explicit MaskedTrainer(torch::Device device) : device_(device) { policy_->to(device_); }

  void collect() {
    auto observation = torch::rand({2, 4}).to(device_);
    auto mask = torch::ones({2, 4}).to(device_);
    for (int step = 0; step < 8; ++step) {
      auto action = policy_->choose(observation, mask);  // LINT: missing-transfer
      std::cout << action.cpu() << '\n';
      auto next = torch::ones({2, 4});
      mask = next;
      observation = torch::rand({2, 4}).to(device_);
    }
  }
  void evaluate() {
    auto observation = torch::rand({2, 4}).to(device_);
    auto mask = torch::ones({2, 4});
    std::cout << policy_->choose(observation, mask).cpu() << '\n';  // LINT: missing-transfer
    std::cout << policy_->judge(observation, mask).cpu() << '\n';  // LINT: missing-transfer
  }
  void update() {
    auto observation = torch::rand({2, 4}).to(device_);
    auto mask = torch::ones({2, 4}, device_);
    policy_->judge(observation, mask).backward();
  }

 private:
  torch::Device device_;
  MaskedPolicy policy_;
};

}  // namespace

int main() {
  MaskedTrainer trainer(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  trainer.collect();
  trainer.evaluate();
  trainer.update();
  return 0;
}
