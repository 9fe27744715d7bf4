// Code that throws and code that catches.

#include <torch/torch.h>

#include <exception>

// An error that is caught is still one, and the move after it helps.
void serve(torch::Tensor x) {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  torch::Tensor late = torch::ones({8, 8});
  late.to(torch::kCUDA);  // LINT: discarded-transfer
  try {
    model->forward(late);  // LINT: missing-transfer
  } catch (const std::exception& error) {
    error.what();
  }
  try {
    late = late.to(torch::kCUDA);
    model->forward(late);
    model->forward(late);
  } catch (...) {
  }
  model->forward(late);
}

// The same with a device that is chosen.
void chosen() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::Linear layer(100, 50);
  layer->to(device);
  torch::Tensor input = torch::ones({8, 100});
  try {
    torch::Tensor output = layer->forward(input);  // LINT: missing-transfer
  } catch (const std::exception& error) {
    error.what();
  }
  input = input.to(device);
  torch::Tensor output = layer->forward(input);
}
