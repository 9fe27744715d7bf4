// Look-alikes of bad_needed_with: the network may be elsewhere than its input, or all is there.

#include <torch/torch.h>

namespace good_needed_with {

// It moves its input.
struct MovingImpl : torch::nn::Module {
  MovingImpl() { body = register_module("body", torch::nn::Linear(8, 1)); }
  torch::Tensor forward(torch::Tensor x) { return body->forward(x.to(body->weight.device())); }
  torch::nn::Linear body{nullptr};
};
TORCH_MODULE(Moving);
void serve(Moving& net);
torch::Tensor moved(torch::Device device) {
  Moving net;
  serve(net);
  return torch::mse_loss(net->forward(torch::rand({4, 8}).to(device)), torch::rand({4, 1}));
}

struct NetImpl : torch::nn::Module {
  NetImpl() { body = register_module("body", torch::nn::Linear(8, 1)); }
  torch::Tensor forward(torch::Tensor x) { return body->forward(x); }
  torch::nn::Linear body{nullptr};
};
TORCH_MODULE(Net);
void serve(Net& net);
torch::Tensor all_there(torch::Device device) {
  Net net;
  serve(net);
  return torch::mse_loss(net->forward(torch::rand({4, 8}).to(device)),
                         torch::rand({4, 1}, device));
}
torch::Tensor all_here() {
  Net net;
  serve(net);
  return torch::mse_loss(net->forward(torch::rand({4, 8})), torch::rand({4, 1}));
}
// The input is nobody knows where, too.
torch::Tensor unknown(torch::Tensor input) {
  Net net;
  serve(net);
  return torch::mse_loss(net->forward(input), torch::rand({4, 1}));
}

}  // namespace good_needed_with
