// A flag that starts as false is set from outside its class: some run has CUDA.

#include <torch/torch.h>

#include <istream>

namespace flags_that_are_set {

struct Session {
  void start() {
    torch::Device device = torch::kCPU;
    if (use_cuda) device = torch::kCUDA;
    net->to(device);
  }
  bool use_cuda = false;
  torch::nn::Linear net{3, 3};
};

torch::Tensor asked(int argc) {
  Session session;
  if (argc > 2) session.use_cuda = true;
  session.start();
  return session.net->forward(torch::rand({2, 3}));  // LINT: missing-transfer
}

struct Read {
  void start() {
    torch::Device device = torch::kCPU;
    if (use_cuda) device = torch::kCUDA;
    net->to(device);
  }
  bool use_cuda = false;
  torch::nn::Linear net{3, 3};
};

torch::Tensor from_a_stream(std::istream& in) {
  Read read;
  in >> read.use_cuda;
  read.start();
  return read.net->forward(torch::rand({2, 3}));  // LINT: missing-transfer
}

struct Made {
  void start() {
    torch::Device device = torch::kCPU;
    if (use_cuda) device = torch::kCUDA;
    net->to(device);
  }
  torch::nn::Linear net{3, 3};
  bool use_cuda = false;
};

torch::Tensor made(bool use_cuda) {
  Made made{torch::nn::Linear(3, 3), use_cuda};
  made.start();
  return made.net->forward(torch::rand({2, 3}));  // LINT: missing-transfer
}

}  // namespace flags_that_are_set
