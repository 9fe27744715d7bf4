// TransformerEncoder, TransformerDecoder and Transformer, with the weights that the library draws:
// results, gradients, and how they print; then one that learns to turn sequences round, trained
// with AdamW.
#include <torch/torch.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "common.h"

namespace nn = torch::nn;

void show(const std::string& name, const torch::Tensor& tensor) {
  std::cout << name << " " << tensor.sizes() << " " << tensor.sum().item<double>() << " "
            << tensor.flatten()[0].item<double>() << " " << tensor.flatten()[-1].item<double>()
            << "\n";
}

template <class Layer>
void show_gradients(Layer& layer) {
  for (auto& parameter : layer->named_parameters()) {
    show(parameter.key(), parameter.value().grad());
  }
}

torch::Tensor later(int64_t steps) {
  return nn::TransformerImpl::generate_square_subsequent_mask(steps).to(place());
}

torch::Tensor padding(int64_t batch, int64_t steps) {
  const auto last = torch::arange(steps, torch::TensorOptions(place())).eq(steps - 1);
  const auto odd = torch::arange(batch, torch::TensorOptions(place())).eq(1);
  return odd.unsqueeze(1).logical_and(last.unsqueeze(0));
}

void encoder() {
  torch::manual_seed(3);
  nn::TransformerEncoderLayer layer(
      nn::TransformerEncoderLayerOptions(6, 2).dim_feedforward(8).dropout(0).activation(
          torch::kGELU));
  std::cout << layer << "\n";
  layer->to(place());
  const auto x = wave({4, 2, 6}).requires_grad_();
  show("layer", layer(x));
  show("layer under masks", layer(x, later(4), padding(2, 4)));
  nn::TransformerEncoder encoder(nn::TransformerEncoderOptions(layer, 2).norm(
      nn::AnyModule(nn::LayerNorm(nn::LayerNormOptions({6})))));
  std::cout << encoder << "\n";
  encoder->to(place());
  const auto result = encoder(x, later(4), padding(2, 4));
  show("encoder", result);
  (result * result.detach().cos()).sum().backward();
  show("input's gradient", x.grad());
  show_gradients(encoder);
  nn::TransformerEncoder plain(layer, 1);
  plain->to(place());
  show("one layer", plain(x));
}

// Copies of layers draw other numbers in LibTorch: what follows starts anew.
void decoder() {
  torch::manual_seed(4);
  nn::TransformerDecoder decoder(nn::TransformerDecoderOptions(
      nn::TransformerDecoderLayerOptions(6, 3).dim_feedforward(8), 2));
  std::cout << decoder << "\n";
  decoder->to(place());
  decoder->eval();
  const auto x = wave({3, 2, 6}), memory = wave({4, 2, 6}, 0.5).requires_grad_();
  show("decoder", decoder(x, memory));
  const auto result =
      decoder(x, memory, later(3), torch::zeros({3, 4}, x.options()), padding(2, 3), padding(2, 4));
  show("decoder under masks", result);
  (result * result.detach().cos()).sum().backward();
  show("memory's gradient", memory.grad());
  show_gradients(decoder);
}

struct TurnerImpl : nn::Module {
  nn::Embedding letters{nullptr}, places{nullptr};
  nn::Transformer transformer{nullptr};
  nn::Linear head{nullptr};

  TurnerImpl() {
    letters = register_module("letters", nn::Embedding(8, 12));
    places = register_module("places", nn::Embedding(6, 12));
    transformer = register_module(
        "transformer",
        nn::Transformer(nn::TransformerOptions(12, 3, 2, 1).dim_feedforward(16).dropout(0.1)));
    head = register_module("head", nn::Linear(12, 8));
  }
  torch::Tensor embed(const torch::Tensor& ids) {
    const auto at = torch::arange(ids.size(0), ids.options());
    return letters(ids) + places(at).unsqueeze(1);
  }
  torch::Tensor forward(const torch::Tensor& from, const torch::Tensor& to) {
    const auto mask = later(to.size(0));
    return head(transformer->forward(embed(from), embed(to), {}, mask));
  }
};
TORCH_MODULE(Turner);

void training() {
  Turner model;
  std::cout << model << "\n";
  seed_weights(*model);
  torch::manual_seed(5);  // of what is dropped out
  torch::optim::AdamW optimizer(model->parameters(), torch::optim::AdamWOptions(3e-3));
  const auto from = ((torch::arange(40) * 5) % 7 + 1).view({5, 8}).to(place());
  const auto to = torch::cat({torch::zeros({1, 8}, from.options()), from.flip({0})});
  for (int step = 0; step < 20; ++step) {
    optimizer.zero_grad();
    const auto scores = model->forward(from, to.slice(0, 0, 5));
    const auto loss =
        nn::functional::cross_entropy(scores.reshape({-1, 8}), to.slice(0, 1).reshape({-1}));
    loss.backward();
    optimizer.step();
    if (step % 4 == 3) std::printf("%d %.5f\n", step, loss.item<float>());
  }
  torch::NoGradGuard no_grad;
  model->eval();
  show("scores", model->forward(from, to.slice(0, 0, 5)));
}

int main() {
  std::cout << nn::TransformerImpl::generate_square_subsequent_mask(3) << "\n";
  encoder();
  decoder();
  training();
}
