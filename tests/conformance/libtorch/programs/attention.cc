// MultiheadAttention of every option, with the weights that the library draws: outputs, weights and
// gradients; then a network that reads sequences by it, trained with Adam.
#include <torch/torch.h>

#include <cmath>
#include <cstdio>
#include <iostream>
#include <string>
#include <tuple>
#include <vector>

#include "common.h"

namespace nn = torch::nn;
namespace F = torch::nn::functional;

void show(const std::string& name, const torch::Tensor& tensor) {
  std::cout << name << " " << tensor.sizes() << " " << tensor.sum().item<double>() << " "
            << tensor.flatten()[0].item<double>() << " " << tensor.flatten()[-1].item<double>()
            << "\n";
}

// A mask that hides the later steps.
torch::Tensor causal(int64_t steps, int64_t more = 0) {
  const auto later = torch::ones({steps, steps + more}, torch::TensorOptions(place())).triu(1);
  return later * -1e4;
}

torch::Tensor padding(int64_t batch, int64_t steps) {
  const auto last = torch::arange(steps, torch::TensorOptions(place())).eq(steps - 1);
  const auto odd = torch::arange(batch, torch::TensorOptions(place())).eq(1);
  return odd.unsqueeze(1).logical_and(last.unsqueeze(0));
}

void layer(const nn::MultiheadAttentionOptions& options) {
  nn::MultiheadAttention attention(options);
  std::cout << attention << "\n";
  for (const auto& item : attention->named_parameters()) show(item.key(), item.value());
  attention->to(place());
  const auto query = wave({3, 2, 6}).requires_grad_();
  const auto key = wave({4, 2, options.kdim()}, 0.5);
  const auto value = options.kdim() == options.vdim() ? key : wave({4, 2, options.vdim()}, 0.6);
  auto [output, weights] = attention(query, key, value, padding(2, 4));
  show("output", output);
  show("weights", weights);
  (output * output.detach().cos()).sum().backward();
  show("query's gradient", query.grad());
  for (const auto& item : attention->named_parameters()) show(item.key(), item.value().grad());
  std::tie(output, weights) =
      attention->forward(query, key, value, {}, true, causal(4).slice(0, 0, 3), false);
  show("output", output);
  show("weights of each head", weights);
  const auto [alone, none] = attention(query, key, value, torch::Tensor(), false);
  show("output alone", alone);
  std::cout << (none.defined() ? "weights" : "no weights") << "\n";
}

// The function, with all weights given.
void function() {
  const auto x = wave({3, 2, 4});
  const auto options = F::MultiheadAttentionForwardFuncOptions(
                           4, 2, wave({12, 4}, 0.3), wave({12}, 0.4), wave({1, 1, 4}, 0.5),
                           wave({1, 1, 4}, 0.6), true, 0.3, wave({4, 4}, 0.7), wave({4}, 0.8))
                           .training(false)
                           .attn_mask(causal(3))
                           .key_padding_mask(padding(2, 3));
  const auto [output, weights] = F::multi_head_attention_forward(x, x, x, options);
  show("function", output);
  show("its weights", weights);
  const auto [fixed, of_fixed] = F::multi_head_attention_forward(
      x, x, x,
      F::MultiheadAttentionForwardFuncOptions(4, 2, wave({12, 4}, 0.3), wave({12}, 0.4), {}, {},
                                              false, 0, wave({4, 4}, 0.7), wave({4}, 0.8))
          .static_k(wave({4, 5, 2}, 0.2))
          .static_v(wave({4, 5, 2}, 0.9)));
  show("with static keys and values", fixed);
  show("its weights", of_fixed);
}

struct ReaderImpl : nn::Module {
  nn::Linear in{nullptr}, out{nullptr};
  nn::MultiheadAttention own{nullptr}, asked{nullptr};
  torch::Tensor question;
  ReaderImpl() {
    in = register_module("in", nn::Linear(2, 8));
    own = register_module("own", nn::MultiheadAttention(8, 4));
    asked = register_module(
        "asked", nn::MultiheadAttention(nn::MultiheadAttentionOptions(8, 2).bias(false)));
    out = register_module("out", nn::Linear(8, 3));
    question = register_parameter("question", torch::zeros({1, 1, 8}));
  }
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& hidden) {
    const auto h = torch::tanh(in(x));
    const auto mixed = h + std::get<0>(own(h, h, h, hidden));
    const auto q = question.expand({1, x.size(1), 8});
    return out(std::get<0>(asked(q, mixed, mixed, hidden)).squeeze(0));
  }
};
TORCH_MODULE(Reader);

void training() {
  Reader model;
  seed_weights(*model);
  torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(0.01));
  const auto x = wave({5, 6, 2}, 0.41);
  const auto target = (torch::arange(6, torch::kLong) % 3).to(place());
  for (int step = 0; step < 30; ++step) {
    optimizer.zero_grad();
    const auto loss = F::cross_entropy(model->forward(x, padding(6, 5)), target);
    loss.backward();
    optimizer.step();
    if (step % 5 == 4) std::printf("%d %.5f\n", step, loss.item<float>());
  }
}

int main() {
  torch::manual_seed(7);
  const nn::MultiheadAttentionOptions plain(6, 2);
  layer(plain);
  layer(nn::MultiheadAttentionOptions(6, 3).bias(false));
  layer(nn::MultiheadAttentionOptions(6, 2).kdim(5).vdim(5));
  layer(nn::MultiheadAttentionOptions(6, 2).add_bias_kv(true).add_zero_attn(true).kdim(4).vdim(4));
  function();
  training();
}
