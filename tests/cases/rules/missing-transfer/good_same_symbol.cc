// Both sides were moved by the same expression, whatever its value.

#include <torch/torch.h>

struct Trainer {
  explicit Trainer(torch::Device where) : device(where), net(8, 2) { net->to(device); }

  torch::Tensor step(torch::Tensor batch) { return net->forward(batch.to(device)); }

  torch::Device device;
  torch::nn::Linear net;
};

torch::Tensor parameter(torch::Device device) {
  torch::nn::Linear layer(8, 2);
  layer->to(device);
  return layer->forward(torch::randn({1, 8}, device));
}

torch::Tensor taken_from_another() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  auto a = torch::randn({4}, device);
  auto b = torch::randn({4}).to(a.device());
  auto c = torch::ones({4}, a.options());
  auto d = torch::zeros_like(a);
  return a + b + c + d;
}

torch::Tensor chosen_by_an_if() {
  torch::Device device = torch::kCPU;
  if (torch::cuda::is_available()) device = torch::Device(torch::kCUDA);
  torch::nn::Linear layer(8, 2);
  layer->to(device);
  auto input = torch::randn({1, 8});
  input = input.to(device);
  return layer->forward(input);
}

torch::Tensor of_the_parameters(torch::nn::Linear& layer) {
  return layer->forward(torch::randn({1, 8}).to(layer->weight.device()));
}

torch::Tensor loop(Trainer& trainer, std::vector<torch::Tensor>& batches) {
  torch::Tensor total = torch::zeros({2}, trainer.device);
  for (auto& batch : batches) total += trainer.step(batch).sum(0);
  return total.cpu();
}

// The CPU, by the kind that a person may change.
torch::Tensor by_kind(torch::Tensor) {
  torch::DeviceType kind = torch::kCPU;
  torch::Device device(kind, 0);
  torch::nn::Linear net(4, 4);
  net->to(device);
  return net->forward(torch::rand({2, 4}));
}
