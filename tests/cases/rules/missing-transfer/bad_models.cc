// A model on the device, and something on the CPU beside it.

#include <torch/torch.h>

#include <memory>

struct NetImpl : torch::nn::Module {
  NetImpl() {
    fc1 = register_module("fc1", torch::nn::Linear(8, 4));
    fc2 = register_module("fc2", torch::nn::Linear(4, 2));
  }
  torch::Tensor forward(torch::Tensor x) { return fc2->forward(torch::relu(fc1->forward(x))); }
  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
};
TORCH_MODULE(Net);

torch::Tensor make_input() { return torch::randn({1, 8}); }

void input_made_by_a_helper() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Net net;
  net->to(device);
  auto scores = net->forward(make_input());  // LINT: missing-transfer
}

void shared_pointer() {
  auto net = std::make_shared<NetImpl>();
  net->to(torch::kCUDA);
  auto input = torch::randn({1, 8});
  auto scores = net->forward(input);  // LINT: missing-transfer
}

void chosen_by_an_if() {
  auto type = torch::kCPU;
  if (torch::cuda::is_available()) type = torch::kCUDA;
  torch::Device device(type);
  torch::nn::Linear layer(8, 4);
  layer->to(device);
  auto scores = layer->forward(torch::randn({1, 8}));  // LINT: missing-transfer
}

void targets_left_behind() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Net net;
  net->to(device);
  auto input = torch::randn({16, 8}).to(device);
  auto target = torch::zeros({16}, torch::kLong);
  auto output = net->forward(input);
  auto loss = torch::nll_loss(torch::log_softmax(output, 1), target);  // LINT: missing-transfer
}

void made_anew_after_the_move() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Net net;
  net->to(device);
  auto input = torch::randn({1, 8}).to(device);
  auto first = net->forward(input);
  input = torch::randn({1, 8});
  auto second = net->forward(input);  // LINT: missing-transfer
}

void hidden_state_left_behind() {
  torch::Device device(torch::kCUDA);
  torch::nn::LSTM lstm(torch::nn::LSTMOptions(8, 16));
  lstm->to(device);
  auto input = torch::randn({5, 1, 8}, device);
  auto state = torch::zeros({1, 1, 16});
  auto output = lstm->forward(input, std::make_tuple(state, state));  // LINT: missing-transfer
}

void brought_back_too_early() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Net net;
  net->to(device);
  auto target = torch::zeros({1, 2}).to(device);
  auto output = net->forward(torch::randn({1, 8}).to(device)).cpu();
  auto loss = torch::mse_loss(output, target);  // LINT: missing-transfer
}
