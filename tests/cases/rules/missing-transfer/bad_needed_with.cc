// A network on an unknown device whose call comes through: it is where its input is.

#include <torch/torch.h>

#include <utility>

namespace needed_with {

struct NetImpl : torch::nn::Module {
  NetImpl() {
    body = register_module("body", torch::nn::Linear(8, 8));
    head = register_module("head", torch::nn::Linear(8, 1));
  }
  std::pair<torch::Tensor, torch::Tensor> forward(torch::Tensor x) {
    x = torch::relu(body->forward(x));
    return {x, head->forward(x)};
  }
  torch::nn::Linear body{nullptr}, head{nullptr};
};
TORCH_MODULE(Net);
// Keeps it, and may move it.
void serve(Net& net);

// Of what this one is given nothing is known.
torch::Tensor applied(Net& net, const torch::Tensor& x) { return net->forward(x).first; }

void train(torch::Device device) {
  Net net;
  serve(net);
  auto input = torch::rand({4, 8}).to(device);
  auto wanted = torch::rand({4, 1});
  auto output = net->forward(input);
  torch::mse_loss(std::get<1>(output), wanted).backward();  // LINT: missing-transfer
}

}  // namespace needed_with
