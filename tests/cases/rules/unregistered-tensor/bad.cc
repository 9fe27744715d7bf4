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

struct PositionsImpl : torch::nn::Module {
  PositionsImpl() : fc(register_module("fc", torch::nn::Linear(8, 8))) {
    table = torch::zeros({100, 8});  // LINT: unregistered-tensor
    table.add_(torch::ones({100, 8}));
  }
  torch::Tensor forward(torch::Tensor x) {
    return fc->forward(x) + table.slice(0, 0, x.size(0));  // NOTE: unregistered-tensor
  }
  torch::nn::Linear fc{nullptr};
  torch::Tensor table;
};
TORCH_MODULE(Positions);

struct CausalImpl : torch::nn::Module {
  explicit CausalImpl(int64_t length) : qkv(register_module("qkv", torch::nn::Linear(8, 8))) {
    mask = torch::ones({length, length}).triu(1).to(torch::kBool);  // LINT: unregistered-tensor
  }
  torch::Tensor forward(torch::Tensor x) {
    using torch::indexing::Slice;
    auto scores = torch::matmul(qkv(x), qkv(x).transpose(-2, -1));
    auto later = mask.index({Slice(), Slice(0, x.size(1))});
    return scores.masked_fill(later, -1e9);  // NOTE: unregistered-tensor
  }
  torch::nn::Linear qkv{nullptr};
  torch::Tensor mask;
};
TORCH_MODULE(Causal);

torch::Tensor attend(torch::Tensor x, torch::Device device) {
  Causal causal(16);
  causal->to(device);
  return causal->forward(x.to(device));
}

torch::Tensor encode(torch::Tensor x) {
  Positions positions;
  positions->to(torch::kCUDA);
  return positions->forward(x.cuda());
}

torch::Tensor run(torch::Tensor x, torch::Device device) {
  Masked masked;
  masked->to(device);  // NOTE: unregistered-tensor
  auto forgotten = std::make_shared<ForgottenImpl>();
  forgotten->to(torch::kCUDA);
  return masked->forward(x.to(device)) + forgotten->forward(x.cuda()).to(device);
}
