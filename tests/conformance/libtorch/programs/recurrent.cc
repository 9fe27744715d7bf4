// A text model of gated recurrent units made by hand; SGD with momentum.
#include <torch/torch.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "common.h"

struct CellImpl : torch::nn::Module {
  torch::nn::Linear x, h;
  int64_t n;
  CellImpl(int64_t in, int64_t n_) : x(in, 3 * n_), h(n_, 3 * n_), n(n_) {
    register_module("x", x);
    register_module("h", h);
  }
  torch::Tensor forward(torch::Tensor in, torch::Tensor s) {
    auto a = x(in), b = h(s);
    auto xs = a.split(n, 1), hs = b.split(n, 1);
    auto r = torch::sigmoid(xs[0] + hs[0]), z = torch::sigmoid(xs[1] + hs[1]);
    auto c = torch::tanh(xs[2] + r * hs[2]);
    return (1 - z) * c + z * s;
  }
};
TORCH_MODULE(Cell);
struct RNN : torch::nn::Module {
  torch::nn::Embedding e{nullptr};
  Cell c{nullptr};
  torch::nn::Linear o{nullptr};
  RNN(int64_t v, int64_t n) {
    e = register_module("e", torch::nn::Embedding(torch::nn::EmbeddingOptions(v, n)));
    c = register_module("c", Cell(n, n));
    o = register_module("o", torch::nn::Linear(n, v));
  }
};
int main() {
  std::string text = "hello world, hello tensors, hello again. ";
  std::vector<char> vocab(text.begin(), text.end());
  std::sort(vocab.begin(), vocab.end());
  vocab.erase(std::unique(vocab.begin(), vocab.end()), vocab.end());
  std::vector<int64_t> ids;
  for (char c : text) ids.push_back(std::find(vocab.begin(), vocab.end(), c) - vocab.begin());
  const int64_t V = vocab.size();
  RNN net(V, 16);
  seed_weights(net);
  auto all = torch::tensor(ids, torch::kLong).to(place());
  torch::optim::SGD opt(net.parameters(),
                        torch::optim::SGDOptions(0.5).momentum(0.9).nesterov(true));
  for (int epoch = 0; epoch < 25; ++epoch) {
    auto s = torch::zeros({1, 16}, place());
    torch::Tensor loss;
    std::vector<torch::Tensor> outs;
    for (size_t i = 0; i + 1 < ids.size(); ++i) {
      s = net.c(net.e(all.index({(int64_t)i}).unsqueeze(0)), s);
      outs.push_back(net.o(s));
    }
    auto logp = torch::log_softmax(torch::cat(outs, 0), 1);
    loss = torch::nll_loss(logp, all.index({torch::indexing::Slice(1, torch::indexing::None)}));
    opt.zero_grad();
    loss.backward();
    torch::nn::utils::clip_grad_value_(net.parameters(), 0.5);
    opt.step();
    if (epoch % 6 == 0) std::cout << epoch << " " << loss.item().toDouble() << "\n";
  }
  torch::NoGradGuard g;
  auto s = torch::zeros({1, 16}, place());
  auto cur = torch::full({1}, ids[0], torch::TensorOptions(place()).dtype(torch::kLong));
  std::string out;
  for (int i = 0; i < 20; ++i) {
    s = net.c(net.e(cur), s);
    cur = std::get<1>(net.o(s).max(1));
    out += vocab[cur.item<int64_t>()];
  }
  std::cout << out << "\n";
  auto p = torch::softmax(net.o(s), 1);
  auto [v, i] = p.sort(1, true);
  std::cout << v.slice(1, 0, 3) << i.slice(1, 0, 3) << p.cumsum(1).slice(1, V - 2) << "\n";
  auto one = torch::one_hot(cur, V);
  std::cout << one.sum() << "\n";
}
