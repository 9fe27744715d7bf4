// The member's maker decides where it is; and a move to the CPU leaves nothing behind.

#include <torch/script.h>
#include <torch/torch.h>

struct FromOutsideImpl : torch::nn::Module {
  FromOutsideImpl(torch::nn::Linear given, torch::jit::Module script) {
    first = given;
    features = script;
    last = register_module("last", torch::nn::Linear(8, 8));
  }
  torch::Tensor forward(torch::Tensor x) {
    std::vector<torch::jit::IValue> inputs = {x};
    return last->forward(first->forward(features.forward(inputs).toTensor()));
  }
  torch::nn::Linear first{nullptr}, last{nullptr};
  torch::jit::Module features;
};
TORCH_MODULE(FromOutside);

torch::Tensor given(torch::Tensor x, torch::jit::Module script, torch::Device device) {
  torch::nn::Linear first(8, 8);
  first->to(device);
  script.to(device);
  FromOutside net(first, script);
  net->to(device);
  return net->forward(x.to(device));
}

struct OnTheHostImpl : torch::nn::Module {
  OnTheHostImpl() { mask = torch::ones({64}); }
  torch::Tensor forward(torch::Tensor x) { return x * mask; }
  torch::Tensor mask;
};
TORCH_MODULE(OnTheHost);

torch::Tensor on_the_host(torch::Tensor x) {
  torch::Device device(torch::kCPU);
  OnTheHost net;
  net->to(device);
  return net->forward(x);
}
