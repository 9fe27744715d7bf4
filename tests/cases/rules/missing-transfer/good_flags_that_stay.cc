// A flag that starts as false, and that nothing in the program sets, chooses nothing.

#include <torch/torch.h>

namespace flags_that_stay {

struct Session {
  void start() {
    torch::Device device = torch::kCPU;
    if (use_cuda) device = torch::kCUDA;
    net->to(device);
  }
  bool use_cuda = false;
  torch::nn::Linear net{3, 3};
};

struct Keeps {
  void start() {
    if (use_cuda) device = torch::kCUDA;
    net->to(device);
  }
  bool use_cuda = false;
  torch::Device device = torch::kCPU;
  torch::nn::Linear net{3, 3};
};

struct Counts {
  explicit Counts(int rows) : rows(rows) {}
  void start() {
    torch::Device device = gpu >= 0 ? torch::kCUDA : torch::kCPU;
    net->to(device);
  }
  int rows;
  int gpu = -1;
  torch::nn::Linear net{3, 3};
};

torch::Tensor session() {
  Session session;
  session.start();
  return session.net->forward(torch::rand({2, 3}));
}

torch::Tensor keeps() {
  Keeps keeps;
  keeps.start();
  return keeps.net->forward(torch::rand({2, 3}));
}

torch::Tensor counts() {
  Counts counts(4);
  counts.start();
  return counts.net->forward(torch::rand({counts.rows, 3}));
}

}  // namespace flags_that_stay
