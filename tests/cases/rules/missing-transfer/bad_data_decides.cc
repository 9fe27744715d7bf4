// Conditions on what the run computes: what stands under them runs in some run, whoever calls.

#include <torch/torch.h>

#include <random>
#include <vector>

class Gambler {
 public:
  explicit Gambler(float epsilon) : net(4, 2), epsilon(epsilon) { net->to(torch::kCUDA); }

  // A random number, as a tensor's value.
  torch::Tensor act(torch::Tensor state) {
    if (torch::rand({1}).item<float>() < epsilon) return torch::randint(0, 2, {1, 1});
    return net->forward(state);
  }
  // One of the standard library, in a flag.
  torch::Tensor draw(torch::Tensor state) {
    const bool explore = distribution(engine) < epsilon;
    if (!explore) return net->forward(state);  // LINT: missing-transfer
    return torch::zeros({1, 2});
  }
  // How much was gathered.
  void learn(torch::Tensor state) {
    seen.push_back(1);
    if (seen.size() > batch) net->forward(state);  // LINT: missing-transfer
  }
  // Every tenth time.
  void log(torch::Tensor state, int step) {
    if (step % 10 == 0) net->forward(state);  // LINT: missing-transfer
  }

 private:
  torch::nn::Linear net;
  float epsilon;
  std::vector<int> seen;
  std::size_t batch = 32;
  std::mt19937 engine;
  std::uniform_real_distribution<float> distribution;
};

void gamble() {
  Gambler gambler(0.1F);
  auto state = torch::zeros({1, 4});
  gambler.act(state);  // LINT: missing-transfer
  gambler.draw(state);
  gambler.learn(state);
  gambler.log(state, 0);
  gambler.act(state.to(torch::kCUDA));
}
