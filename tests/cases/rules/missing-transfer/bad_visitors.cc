// Functions that a module runs for each of its parts, to set their weights: they move nothing.

#include <torch/torch.h>

#include <memory>

struct Net : torch::nn::Module {
  Net() { body = register_module("body", torch::nn::Sequential(torch::nn::Linear(3, 3))); }
  torch::Tensor forward(torch::Tensor x) { return body->forward(x); }
  torch::nn::Sequential body{nullptr};
};

void set_weights(torch::nn::Module& module) {
  torch::NoGradGuard no_grad;
  if (auto* linear = module.as<torch::nn::Linear>())
    torch::nn::init::xavier_normal_(linear->weight);
}

torch::Tensor by_a_function() {
  Net model;
  model.apply(set_weights);
  return model.forward(torch::ones({1, 3}).to(torch::kCUDA));  // LINT: missing-transfer
}

torch::Tensor by_a_lambda() {
  auto model = std::make_shared<Net>();
  model->apply([](torch::nn::Module& module) {
    if (auto* linear = module.as<torch::nn::Linear>()) torch::nn::init::zeros_(linear->weight);
  });
  return model->forward(torch::ones({1, 3}).to(torch::kCUDA));  // LINT: missing-transfer
}

// A method gives all parts their first values: the module stays where it was made.
struct WeightedImpl : torch::nn::Module {
  WeightedImpl() : fc(register_module("fc", torch::nn::Linear(8, 8))) {
    apply([this](torch::nn::Module& part) { initialize(part); });
  }
  void initialize(torch::nn::Module& part) {
    if (auto* linear = part.as<torch::nn::Linear>()) torch::nn::init::normal_(linear->weight);
  }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }
  torch::nn::Linear fc;
};
TORCH_MODULE(Weighted);

void with_first_weights() {
  Weighted net;
  net->forward(torch::ones({8, 8}, torch::kCUDA));  // LINT: missing-transfer
}
