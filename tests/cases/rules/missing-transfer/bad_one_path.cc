// Only one path moves a tensor: on that path, the tensor that stayed behind is on another device.

#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <stdexcept>

struct NetImpl : torch::nn::Module {
  NetImpl() { layer = register_module("layer", torch::nn::Linear(3, 3)); }
  torch::Tensor forward(torch::Tensor x) { return layer->forward(x); }
  torch::nn::Linear layer{nullptr};
};
TORCH_MODULE(Net);

void where_there_is_cuda() {
  Net model;
  if (torch::cuda::is_available()) model->to(torch::kCUDA);
  const auto input = torch::rand({2, 3});
  model->forward(input);  // LINT: missing-transfer
}

void only_the_input() {
  Net model;
  auto input = torch::rand({2, 3});
  if (torch::cuda::is_available()) input = input.to(torch::kCUDA);
  model->forward(input);  // LINT: missing-transfer
}

void on_request(bool use_cuda) {
  auto model = std::make_shared<NetImpl>();
  if (use_cuda) {
    std::cout << "on CUDA\n";
    model->to(torch::kCUDA);
  } else {
    std::cout << "on the CPU\n";
  }
  for (int epoch = 0; epoch < 3; ++epoch)
    model->forward(torch::rand({2, 3}));  // LINT: missing-transfer
}

void unless_the_cpu_is_asked_for(torch::Device device) {
  Net model;
  if (!device.is_cpu()) model->to(device);
  model->forward(torch::rand({2, 3}));  // LINT: missing-transfer
}

void in_a_ternary(bool use_cuda) {
  const auto weights = use_cuda ? torch::rand({3, 3}).cuda() : torch::rand({3, 3});
  const auto input = torch::rand({3, 3});
  torch::mm(input, weights);  // LINT: missing-transfer
}

void what_fails_stays() {
  Net model;
  try {
    model->to(torch::kCUDA);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }
  model->forward(torch::rand({2, 3}));  // LINT: missing-transfer
}

void a_flag_that_is_set() {
  const bool use_cuda = true;
  Net model;
  if (use_cuda) model->to(torch::kCUDA);
  model->forward(torch::rand({2, 3}));  // LINT: missing-transfer
}
