// A flag of the constructor's decides: it may be the same in every run.

#include <torch/torch.h>

struct Agent {
  explicit Agent(bool use_cuda) : net(8, 8) {
    torch::Device device = use_cuda && torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
    net->to(device);
  }
  torch::Tensor act(torch::Tensor x) { return net->forward(x); }
  torch::nn::Linear net;
};

int main() {
  Agent agent(false);
  agent.act(torch::ones({8, 8}));
  return 0;
}
