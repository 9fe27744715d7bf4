// Every member is a part of its module.

#include <torch/torch.h>

struct NetImpl : torch::nn::Module {
  NetImpl() : fc(64, 10) {
    register_module("fc", fc);
    mask = register_buffer("mask", torch::ones({64}));
    scale = torch::ones({64});
    register_parameter("scale", scale);
    body->push_back(torch::nn::Linear(64, 64));
    register_module("body", body);
    torch::nn::Sequential shortcut(torch::nn::Linear(64, 64));
    this->shortcut = shortcut;
    register_module("shortcut", shortcut);
  }
  torch::Tensor forward(torch::Tensor x) {
    return fc->forward(shortcut->forward(body->forward(x * mask)) * scale);
  }
  torch::nn::Linear fc;
  torch::nn::Sequential body, shortcut;
  torch::Tensor mask, scale;
};
TORCH_MODULE(Net);

torch::Tensor run(torch::Tensor x, torch::Device device) {
  Net net;
  net->to(device);
  return net->forward(x.to(device));
}
