// Tensors read from files: into a module on CUDA, and with a device.

#include <torch/torch.h>

void run(bool resume) {
  torch::nn::Linear model(8, 8);
  model->to(torch::kCUDA);
  if (resume) torch::load(model, "model.pt");
  auto x = torch::ones({8, 8});
  model->forward(x);  // LINT: missing-transfer
  torch::nn::Linear placed(8, 8);
  torch::load(placed, "model.pt", torch::Device(torch::kCUDA));
  placed->forward(x);  // LINT: missing-transfer
  torch::nn::Linear anywhere(8, 8);
  torch::load(anywhere, "model.pt");
  anywhere->forward(x.to(torch::kCUDA));
  torch::load(x, "x.pt", torch::Device(torch::kCUDA));
  model->forward(x);
  torch::load(x, "x.pt");
  model->forward(x);
}
