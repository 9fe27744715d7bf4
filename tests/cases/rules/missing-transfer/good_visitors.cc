// Functions that a module runs for each of its parts, which move them, or may.

#include <torch/torch.h>

struct Net : torch::nn::Module {
  Net() { body = register_module("body", torch::nn::Sequential(torch::nn::Linear(3, 3))); }
  torch::Tensor forward(torch::Tensor x) { return body->forward(x); }
  torch::nn::Sequential body{nullptr};
};

void from_elsewhere(torch::nn::Module& module);

torch::Tensor moves_each() {
  Net model;
  model.apply([](torch::nn::Module& module) { module.to(torch::kCUDA); });
  return model.forward(torch::ones({1, 3}).to(torch::kCUDA));
}

torch::Tensor moves_some() {
  Net model;
  model.apply([](torch::nn::Module& module) {
    if (auto* linear = module.as<torch::nn::Linear>()) linear->to(torch::kCUDA);
  });
  return model.forward(torch::ones({1, 3}).to(torch::kCUDA));
}

torch::Tensor may_move_each() {
  Net model;
  model.apply(from_elsewhere);
  return model.forward(torch::ones({1, 3}).to(torch::kCUDA));
}

torch::Tensor moves_another() {
  Net model, other;
  model.apply([&](torch::nn::Module&) { other.to(torch::kCUDA); });
  return other.forward(torch::ones({1, 3}).to(torch::kCUDA));
}

// The visitor moves what it belongs to.
struct MovedImpl : torch::nn::Module {
  MovedImpl() : fc(register_module("fc", torch::nn::Linear(8, 8))) {
    apply([this](torch::nn::Module&) { fc->to(torch::kCUDA); });
  }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }
  torch::nn::Linear fc;
};
TORCH_MODULE(Moved);

void moved_by_its_visitor() {
  Moved net;
  net->forward(torch::ones({8, 8}, torch::kCUDA));
}
