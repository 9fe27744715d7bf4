// Recurrent modules override what moves them.

#include <torch/torch.h>

void moved() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::LSTM lstm(torch::nn::LSTMOptions(8, 16));
  torch::nn::GRU gru(torch::nn::GRUOptions(8, 16));
  lstm->to(device);
  gru->to(device, torch::kFloat);
  auto input = torch::randn({5, 1, 8}, device);
  auto state = torch::zeros({1, 1, 16}, device);
  auto output = lstm->forward(input, std::make_tuple(state, state));
  auto other = gru->forward(input, state);
}

void back_on_the_cpu() {
  torch::nn::RNN rnn(torch::nn::RNNOptions(8, 16));
  rnn->to(torch::kCUDA);
  rnn->to(torch::kCPU);
  auto output = rnn->forward(torch::randn({5, 1, 8}));
}

void lengths_stay_on_the_cpu() {
  auto input = torch::randn({5, 1, 8}, torch::kCUDA);
  auto packed = torch::nn::utils::rnn::pack_padded_sequence(input, torch::tensor({5}));
}
