// RNN, LSTM and GRU of every option, and their cells, with the weights that the library draws; then
// a model of characters and one of sums, trained with RMSprop.
#include <torch/torch.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <tuple>
#include <vector>

#include "common.h"

namespace nn = torch::nn;

void show(const char* name, const torch::Tensor& tensor) {
  std::cout << name << " " << tensor.sizes() << " " << tensor.sum().item<double>() << " "
            << tensor.flatten()[-1].item<double>() << "\n";
}

template <class Layer>
void show_gradients(Layer& layer) {
  for (auto& parameter : layer->named_parameters()) {
    show(parameter.key().c_str(), parameter.value().grad());
  }
}

template <class Options>
std::vector<Options> variants() {
  const Options plain(5, 4);
  return {plain, Options(plain).num_layers(2).batch_first(true), Options(plain).bidirectional(true),
          Options(plain).num_layers(3).bias(false).bidirectional(true)};
}

template <class Layer, class Options>
void gated(const Options& options) {
  Layer layer(options);
  std::cout << layer << "\n";
  layer->to(place());
  const auto [output, hidden] = layer(wave({3, 2, 5}));
  show("output", output);
  show("hidden", hidden);
  const auto [more, last] = layer(wave({3, 2, 5}, 0.9).requires_grad_(), hidden.detach().flip({1}));
  (more * more.detach().cos() + last.sum()).sum().backward();
  show_gradients(layer);
}

void long_short(const nn::LSTMOptions& options) {
  nn::LSTM layer(options);
  std::cout << layer << "\n";
  layer->to(place());
  auto [output, state] = layer(wave({3, 2, 5}));
  const auto [h, c] = state;
  show("output", output);
  show("hidden", h);
  show("cell", c);
  std::tie(output, state) = layer(wave({3, 2, 5}, 0.9), std::make_tuple(h.detach(), c.detach()));
  (output * output.detach().cos() + std::get<1>(state).sum()).sum().backward();
  show_gradients(layer);
}

void cells() {
  nn::LSTMCell lstm(nn::LSTMCellOptions(5, 4).bias(false));
  nn::GRUCell gru(5, 4);
  nn::RNNCell rnn(nn::RNNCellOptions(5, 4).nonlinearity(torch::kReLU));
  std::cout << lstm << "\n" << gru << "\n" << rnn << "\n";
  lstm->to(place()), gru->to(place()), rnn->to(place());
  const auto x = wave({2, 5});
  auto state = lstm(x);
  state = lstm(x, state);
  show("cell", std::get<1>(state));
  show("hidden", gru(x, gru(x)));
  auto h = rnn(x);
  h = rnn(x, h);
  show("hidden", h);
  h.sum().backward();
  show_gradients(rnn);
}

struct CharModelImpl : nn::Module {
  nn::Embedding embedding{nullptr};
  nn::LSTM lstm{nullptr};
  nn::Linear head{nullptr};

  CharModelImpl(int64_t letters, int64_t hidden) {
    embedding = register_module("embedding", nn::Embedding(letters, hidden));
    lstm = register_module(
        "lstm", nn::LSTM(nn::LSTMOptions(hidden, hidden).num_layers(2).batch_first(true)));
    head = register_module("head", nn::Linear(hidden, letters));
  }
  std::tuple<torch::Tensor, std::tuple<torch::Tensor, torch::Tensor>> forward(
      const torch::Tensor& ids, torch::optional<std::tuple<torch::Tensor, torch::Tensor>> state) {
    auto [output, next] = lstm->forward(embedding->forward(ids), state);
    return {head->forward(output), next};
  }
};
TORCH_MODULE(CharModel);

void characters() {
  const std::string text = "the quick brown fox jumps over the lazy dog. ";
  std::string letters = text;
  std::sort(letters.begin(), letters.end());
  letters.erase(std::unique(letters.begin(), letters.end()), letters.end());
  std::vector<int64_t> ids;
  for (const char c : text) ids.push_back(static_cast<int64_t>(letters.find(c)));
  const auto n = static_cast<int64_t>(letters.size());
  const auto all = torch::tensor(ids).view({3, -1}).to(place());

  CharModel model(n, 16);
  std::cout << model << "\n";
  model->to(place());
  torch::optim::RMSprop optimizer(model->parameters(), torch::optim::RMSpropOptions(0.01));
  const auto input = all.slice(1, 0, -1), target = all.slice(1, 1);
  for (int epoch = 0; epoch < 30; ++epoch) {
    optimizer.zero_grad();
    const auto logits = std::get<0>(model->forward(input, torch::nullopt));
    const auto loss = nn::functional::cross_entropy(logits.reshape({-1, n}), target.reshape({-1}));
    loss.backward();
    nn::utils::clip_grad_norm_(model->parameters(), 1.0);
    optimizer.step();
    if (epoch % 10 == 9) std::cout << epoch << " " << loss.item<double>() << "\n";
  }
  torch::NoGradGuard no_grad;
  model->eval();
  std::string written = "t";
  torch::optional<std::tuple<torch::Tensor, torch::Tensor>> state;
  for (int i = 0; i < 12; ++i) {
    const auto id = torch::full({1, 1}, static_cast<int64_t>(letters.find(written.back())),
                                torch::TensorOptions(place()).dtype(torch::kLong));
    auto [logits, next] = model->forward(id, state);
    state = next;
    written += letters[static_cast<size_t>(logits[0][0].argmax().item<int64_t>())];
  }
  std::cout << written << "\n";
}

// The running sums of a wave, read backwards and forwards.
void sums() {
  nn::GRU gru(nn::GRUOptions(1, 6).bidirectional(true));
  nn::Linear head(12, 1);
  gru->to(place()), head->to(place());
  auto parameters = gru->parameters();
  for (const auto& parameter : head->parameters()) parameters.push_back(parameter);
  torch::optim::RMSprop optimizer(
      parameters,
      torch::optim::RMSpropOptions(0.01).momentum(0.5).centered(true).weight_decay(1e-4));
  const auto input = wave({12, 8, 1});
  const auto target = input.cumsum(0);
  for (int epoch = 0; epoch < 30; ++epoch) {
    optimizer.zero_grad();
    const auto loss = torch::mse_loss(head(std::get<0>(gru(input))), target);
    loss.backward();
    optimizer.step();
    if (epoch % 10 == 9) std::cout << epoch << " " << loss.item<double>() << "\n";
  }
}

int main() {
  torch::manual_seed(7);
  for (const auto& options : variants<nn::RNNOptions>()) gated<nn::RNN>(options);
  gated<nn::RNN>(nn::RNNOptions(5, 4).nonlinearity(torch::kReLU));
  for (const auto& options : variants<nn::GRUOptions>()) gated<nn::GRU>(options);
  for (const auto& options : variants<nn::LSTMOptions>()) long_short(options);
  long_short(nn::LSTMOptions(5, 4).num_layers(2).proj_size(3).bidirectional(true));
  cells();
  characters();
  sums();
}
