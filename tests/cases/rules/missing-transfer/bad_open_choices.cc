// Devices that a callee chooses, where the call leaves the choice open.

#include <torch/torch.h>

#include <string>

struct Agent {
  Agent(bool use_cuda, int width) : net(width, 3), device(torch::kCPU) {
    if (use_cuda && torch::cuda::is_available()) device = torch::Device(torch::kCUDA, 0);
    net->to(device);
  }
  torch::nn::Linear net;
  torch::Device device;
};

torch::Tensor by_a_parameter(bool use_cuda) {
  Agent agent(use_cuda, 3);
  return agent.net->forward(torch::rand({2, 3}));  // LINT: missing-transfer
}

torch::Tensor by_what_is_asked(int argc) {
  bool use_cuda = false;
  if (argc > 1) use_cuda = true;
  Agent agent(use_cuda, 3);
  return agent.net->forward(torch::rand({2, 3}));  // LINT: missing-transfer
}

struct Judge {
  explicit Judge(int width)
      : net(width, 3), device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU) {
    net->to(device);
  }
  torch::nn::Linear net;
  torch::Device device;
};

torch::Tensor by_which_devices_there_are() {
  Judge judge(3);
  return judge.net->forward(torch::rand({2, 3}));  // LINT: missing-transfer
}

torch::Tensor by_a_constant_that_is_made_of_itself() {
  const bool use_cuda = !use_cuda;
  Agent agent(use_cuda, 3);
  return agent.net->forward(torch::rand({2, 3}));  // LINT: missing-transfer
}
