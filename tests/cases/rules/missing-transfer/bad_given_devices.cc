// Devices that a function is given, or that somebody chooses when the program runs.

#include <torch/torch.h>

#include <string>

// A device that is given is CUDA in some run.
void given(torch::Device device) {
  torch::nn::Linear model(8, 8);
  model->to(device);
  auto x = torch::ones({8, 8});
  model->forward(x);  // LINT: missing-transfer
  model->forward(x.to(device));
}

void only_if_elsewhere(torch::Device device, torch::Tensor y) {
  auto x = torch::ones({8, 8});
  if (device != torch::Device(torch::kCPU)) x = x.to(device);
  y.to(device) + x;
}

void given_options(torch::TensorOptions options) {
  auto x = torch::ones({8, 8}, options);
  x + torch::ones({8, 8});
}

// A device that a text names.
void named_by_a_text(const char* name) {
  torch::Device device{std::string(name)};
  torch::nn::Linear model(8, 8);
  model->to(device);
  auto x = torch::ones({8, 8});
  model->forward(x);  // LINT: missing-transfer
  model->forward(x.to(device));
}

void written() {
  torch::Device device{std::string("cpu")};
  torch::nn::Linear model(8, 8);
  model->to(device);
  model->forward(torch::ones({8, 8}));
}

// A callee needs a tensor on the device that it is given.
void on(torch::Device device, torch::Tensor x) {
  torch::nn::Linear model(8, 8);
  model->to(device);
  model->forward(x);
}

void on_devices() {
  auto x = torch::ones({8, 8});
  on(torch::kCUDA, x);  // LINT: missing-transfer
  on(torch::kCPU, x);
  on(torch::kCUDA, x.to(torch::kCUDA));
}

// A callee with two needs of one parameter.
void train(torch::nn::Linear& model, torch::Device device, torch::Tensor target) {
  auto x = torch::ones({8, 8});
  auto output = model->forward(x);  // LINT: missing-transfer
  torch::matmul(output, target.to(device));
}

void trains() {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  train(model, torch::kCUDA, torch::ones({8, 8}));
}

// A callee turns a tensor into a scalar first.
torch::Tensor centre(torch::Tensor x, torch::Tensor y) { return y + x.sum(); }
void by_a_scalar() { centre(torch::ones({8, 8}), torch::ones({8, 8}, torch::kCUDA)); }
