// Devices that a callee chooses by what it is given, where the call leaves it nothing to choose.

#include <torch/torch.h>

#include <memory>
#include <string>

namespace settled_choices {

struct Agent {
  Agent(bool use_cuda, int width) : net(width, 3), device(torch::kCPU) {
    if (use_cuda && torch::cuda::is_available()) device = torch::Device(torch::kCUDA, 0);
    net->to(device);
  }
  torch::Tensor act(torch::Tensor x) { return net->forward(x); }
  torch::nn::Linear net;
  torch::Device device;
};

torch::Tensor by_a_literal() {
  Agent agent(false, 3);
  return agent.net->forward(torch::rand({2, 3}));
}

torch::Tensor by_a_method() {
  Agent agent(false, 3);
  return agent.act(torch::rand({2, 3}));
}

torch::Tensor by_a_local_flag() {
  const bool use_cuda = false;
  auto agent = std::make_unique<Agent>(use_cuda, 3);
  return agent->net->forward(torch::rand({2, 3}));
}

torch::Device pick(const std::string& name) {
  if (name == "cuda") return torch::kCUDA;
  return torch::kCPU;
}

torch::Tensor by_a_text() {
  torch::nn::Linear net(3, 3);
  net->to(pick("cpu"));
  return net->forward(torch::rand({2, 3}));
}

struct Options {
  bool use_cuda = false;
  int width = 3;
};

struct Trainer {
  explicit Trainer(const Options& options)
      : use_cuda(options.use_cuda),
        device(use_cuda ? torch::kCUDA : torch::kCPU),
        net(options.width, 3) {
    net->to(device);
  }
  bool use_cuda;
  torch::Device device;
  torch::nn::Linear net;
};

torch::Tensor by_a_record() {
  Options options;
  options.width = 3;
  Trainer trainer(options);
  return trainer.net->forward(torch::rand({2, 3}));
}

Agent make_agent(int width, bool use_cuda = false) { return Agent(use_cuda, width); }

torch::Tensor by_a_default() {
  auto agent = make_agent(3);
  return agent.net->forward(torch::rand({2, 3}));
}

struct Session {
  void start() {
    if (use_cuda) device = torch::kCUDA;
    net->to(device);
  }
  bool use_cuda = false;
  torch::Device device = torch::kCPU;
  torch::nn::Linear net{3, 3};
};

torch::Tensor by_a_field() {
  Session session;
  session.start();
  return session.net->forward(torch::rand({2, 3}));
}

Agent make_small_agent() { return Agent(false, 3); }

torch::Tensor inside_the_callee() {
  auto agent = make_small_agent();
  return agent.net->forward(torch::rand({2, 3}));
}

}  // namespace settled_choices
