// The usual training function.

#include <torch/torch.h>

struct Net : torch::nn::Module {
  Net() : fc(8, 8) { register_module("fc", fc); }
  torch::Tensor forward(torch::Tensor x) { return torch::relu(fc->forward(x)); }
  torch::nn::Linear fc;
};

template <class Loader>
void train(int epoch, Net& model, torch::Device device, Loader& loader,
           torch::optim::Optimizer& optimizer) {
  model.train();
  for (auto& batch : loader) {
    auto data = batch.data.to(device), target = batch.target.to(device);
    optimizer.zero_grad();
    auto output = model.forward(data);
    auto loss = torch::mse_loss(output, target);
    loss.backward();
    optimizer.step();
  }
}

void run() {
  torch::DeviceType type;
  if (torch::cuda::is_available())
    type = torch::kCUDA;
  else
    type = torch::kCPU;
  torch::Device device(type);
  Net model;
  model.to(device);
  auto loader = torch::data::make_data_loader(
      torch::data::datasets::MNIST("x").map(torch::data::transforms::Stack<>()), 32);
  torch::optim::SGD optimizer(model.parameters(), 0.1);
  for (int epoch = 0; epoch < 10; ++epoch) train(epoch, model, device, *loader, optimizer);
}
