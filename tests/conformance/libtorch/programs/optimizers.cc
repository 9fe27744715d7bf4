// Adagrad and LBFGS beside each other on one network: the losses on the way.
#include <torch/torch.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <vector>

#include "common.h"

namespace nn = torch::nn;

struct Fit {
  nn::Sequential net{nn::Linear(2, 6), nn::Tanh(), nn::Linear(6, 1)};
  torch::Tensor x = wave({20, 2}, 0.71), y = wave({20, 1}, 0.33);
  Fit() { seed_weights(*net); }
  torch::Tensor loss() { return (net->forward(x) - y).square().mean(); }
};

template <class Optimizer, class Options>
void train(const char* name, const Options& options, int steps) {
  Fit fit;
  Optimizer optimizer(fit.net->parameters(), options);
  int calls = 0;
  std::cout << name << "\n";
  for (int step = 0; step < steps; ++step) {
    const torch::Tensor loss = optimizer.step([&] {
      ++calls;
      optimizer.zero_grad();
      const torch::Tensor now = fit.loss();
      now.backward();
      return now;
    });
    std::printf("%d %.5f %d\n", step, loss.template item<float>(), calls);
  }
  std::printf("last %.5f\n", fit.loss().item<float>());
}

int main() {
  train<torch::optim::Adagrad>("Adagrad", torch::optim::AdagradOptions(0.1), 20);
  train<torch::optim::Adagrad>("Adagrad with all options",
                               torch::optim::AdagradOptions(0.1)
                                   .lr_decay(0.1)
                                   .weight_decay(0.01)
                                   .initial_accumulator_value(0.1)
                                   .eps(1e-3),
                               20);
  train<torch::optim::LBFGS>("LBFGS", torch::optim::LBFGSOptions(0.3).max_iter(4), 6);
  train<torch::optim::LBFGS>("LBFGS that forgets",
                             torch::optim::LBFGSOptions(0.2).max_iter(6).history_size(2), 4);
  train<torch::optim::LBFGS>(
      "LBFGS that searches",
      torch::optim::LBFGSOptions(1).max_iter(5).line_search_fn("strong_wolfe"), 4);
  train<torch::optim::LBFGS>(
      "LBFGS with few calls",
      torch::optim::LBFGSOptions(1).max_iter(20).max_eval(6).line_search_fn("strong_wolfe"), 3);
}
