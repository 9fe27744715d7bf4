// Members that stay behind when their module is moved.

#include <torch/torch.h>

struct MaskedImpl : torch::nn::Module {
  MaskedImpl() : fc(register_module("fc", torch::nn::Linear(64, 10))) {
    mask = torch::ones({64});  // LINT: unregistered-tensor
  }
  torch::Tensor forward(torch::Tensor x) {
    return fc->forward(x * mask);  // NOTE: unregistered-tensor
  }
  torch::nn::Linear fc{nullptr};
  torch::Tensor mask;
};
TORCH_MODULE(Masked);

struct ForgottenImpl : torch::nn::Module {
  ForgottenImpl() {
    first = register_module("first", torch::nn::Linear(64, 32));
    second = torch::nn::Linear(32, 10);  // LINT: unregistered-tensor
  }
  torch::Tensor forward(torch::Tensor x) { return second->forward(torch::relu(first->forward(x))); }
  torch::nn::Linear first{nullptr}, second{nullptr};
};

torch::Tensor run(torch::Tensor x, torch::Device device) {
  Masked masked;
  masked->to(device);  // NOTE: unregistered-tensor
  auto forgotten = std::make_shared<ForgottenImpl>();
  forgotten->to(torch::kCUDA);
  return masked->forward(x.to(device)) + forgotten->forward(x.cuda()).to(device);
}
