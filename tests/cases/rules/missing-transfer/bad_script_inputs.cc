// Scripted modules and their inputs.

#include <torch/script.h>
#include <torch/torch.h>

#include <vector>

void moved() {
  torch::jit::Module module = torch::jit::load("m.pt");
  module.to(torch::kCUDA);
  module.eval();
  std::vector<torch::jit::IValue> inputs;
  inputs.push_back(torch::ones({1, 3}));
  module.forward(inputs);  // LINT: missing-transfer
  std::vector<torch::jit::IValue> right;
  right.push_back(torch::ones({1, 3}).to(torch::kCUDA));
  right.push_back(7);
  auto scores = module.forward(right).toTensor();
  scores + torch::ones({1, 3});  // LINT: missing-transfer
  module.forward({torch::ones({1, 3})});  // LINT: missing-transfer
}

void loaded() {
  auto module = torch::jit::load("m.pt", torch::kCUDA);
  module.forward({torch::ones({1, 3})});  // LINT: missing-transfer
  module.forward({torch::ones({1, 3}, torch::kCUDA)});
}

void where_it_was_saved() {
  auto module = torch::jit::load("m.pt");
  module.forward({torch::ones({1, 3})});
}
