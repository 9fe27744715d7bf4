// Two programs with classes of one name. This one makes a member, and uses it nowhere.

#include <torch/torch.h>

struct Net : torch::nn::Module {
  Net();
  torch::Tensor forward(torch::Tensor x);
  torch::Tensor mask;
};

Net::Net() { mask = torch::ones({8, 8}); }

void run() {
  Net net;
  net.to(torch::kCUDA);
}
