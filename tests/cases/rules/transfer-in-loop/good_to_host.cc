// Downloads of values from outside that the loop changes, or that others change.

#include <torch/torch.h>

#include <iostream>
#include <vector>

void launch(float* data, int n);
void evolve(torch::Tensor state);

struct Simulation {
  torch::Tensor state;
  std::vector<torch::Tensor> history;
  void step() { state = state * 0.5; }
  void run() {
    for (int i = 0; i < 10; ++i) {
      step();
      history.push_back(state.cpu());
    }
  }
  void run_in_place() {
    for (int i = 0; i < 10; ++i) {
      state.mul_(0.5);
      history.push_back(state.cpu());
    }
  }
};

void by_a_view(torch::Tensor x) {
  auto flat = x.view({-1});
  for (int i = 0; i < 10; ++i) {
    flat.add_(1);
    std::cout << x.cpu() << std::endl;
  }
}

void by_a_kernel(torch::Tensor x) {
  float* data = x.data_ptr<float>();
  for (int i = 0; i < 10; ++i) {
    launch(data, 8);
    std::cout << x.cpu() << std::endl;
  }
}

void by_a_function(torch::Tensor x) {
  for (int i = 0; i < 10; ++i) {
    evolve(x);
    std::cout << x.cpu() << std::endl;
  }
}

void trained(torch::nn::Linear& net, torch::optim::SGD& optimizer, torch::Tensor w) {
  for (int i = 0; i < 10; ++i) {
    optimizer.step();
    std::cout << net->weight.cpu() << w.cpu() << std::endl;
  }
}

void one_by_one(const std::vector<torch::Tensor>& all, const torch::Tensor& rows) {
  for (const auto& one : all) std::cout << one.cpu() << std::endl;
  for (int i = 0; i < 10; ++i) std::cout << rows[i].cpu() << std::endl;
}

void until_it_is_done(const torch::Tensor& done) {
  while (!done.cpu().item<bool>()) {
  }
}

void on_the_cpu_for_certain() {
  auto x = torch::randn({8});
  for (int i = 0; i < 10; ++i) std::cout << x.cpu() << std::endl;
}
