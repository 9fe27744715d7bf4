// A small language model: attention under a mask, layer norm, GELU, embeddings; AdamW, clipped
// gradients; then it continues a text.
#include <torch/torch.h>

#include <cmath>
#include <cstdio>
#include <iostream>

#include "common.h"

namespace nn = torch::nn;
namespace F = torch::nn::functional;
struct AttentionImpl : nn::Module {
  int64_t heads, dim;
  nn::Linear qkv{nullptr}, out{nullptr};
  nn::Dropout drop{nullptr};
  AttentionImpl(int64_t d, int64_t h) : heads(h), dim(d) {
    qkv = register_module("qkv", nn::Linear(nn::LinearOptions(d, 3 * d).bias(false)));
    out = register_module("out", nn::Linear(d, d));
    drop = register_module("drop", nn::Dropout(0.0));
  }
  torch::Tensor forward(torch::Tensor x, torch::Tensor mask) {
    auto B = x.size(0), T = x.size(1);
    auto parts = qkv->forward(x).chunk(3, -1);
    auto split = [&](torch::Tensor t) {
      return t.view({B, T, heads, dim / heads}).transpose(1, 2);
    };
    auto q = split(parts[0]), k = split(parts[1]), v = split(parts[2]);
    auto scores = torch::matmul(q, k.transpose(-2, -1)) / std::sqrt(double(dim / heads));
    scores = scores.masked_fill(mask == 0, -1e9);
    auto w = drop->forward(torch::softmax(scores, -1));
    return out->forward(torch::matmul(w, v).transpose(1, 2).contiguous().view({B, T, dim}));
  }
};
TORCH_MODULE(Attention);
struct BlockImpl : nn::Module {
  nn::LayerNorm a{nullptr}, b{nullptr};
  Attention att{nullptr};
  nn::Sequential mlp{nullptr};
  BlockImpl(int64_t d, int64_t h) {
    a = register_module("a", nn::LayerNorm(nn::LayerNormOptions({d})));
    b = register_module("b", nn::LayerNorm(nn::LayerNormOptions({d})));
    att = register_module("att", Attention(d, h));
    mlp = register_module("mlp",
                          nn::Sequential(nn::Linear(d, 4 * d), nn::GELU(), nn::Linear(4 * d, d)));
  }
  torch::Tensor forward(torch::Tensor x, torch::Tensor mask) {
    x = x + att->forward(a->forward(x), mask);
    return x + mlp->forward(b->forward(x));
  }
};
TORCH_MODULE(Block);
struct GPTImpl : nn::Module {
  nn::Embedding tok{nullptr}, pos{nullptr};
  nn::ModuleList blocks;
  nn::LayerNorm norm{nullptr};
  nn::Linear head{nullptr};
  GPTImpl(int64_t v, int64_t t, int64_t d, int64_t h, int64_t n) {
    tok = register_module("tok", nn::Embedding(v, d));
    pos = register_module("pos", nn::Embedding(t, d));
    for (int64_t i = 0; i < n; ++i) blocks->push_back(Block(d, h));
    register_module("blocks", blocks);
    norm = register_module("norm", nn::LayerNorm(nn::LayerNormOptions({d})));
    head = register_module("head", nn::Linear(d, v));
  }
  torch::Tensor forward(torch::Tensor ids) {
    auto T = ids.size(1);
    auto x = tok->forward(ids) + pos->forward(torch::arange(T, ids.options())).unsqueeze(0);
    auto mask = torch::tril(torch::ones({T, T}, ids.device())).view({1, 1, T, T});
    for (auto& b : *blocks) x = b->as<Block>()->forward(x, mask);
    return head->forward(norm->forward(x));
  }
};
TORCH_MODULE(GPT);
int main() {
  torch::manual_seed(1);
  const torch::Device device = place();
  GPT model(17, 12, 16, 4, 2);
  seed_weights(*model);
  torch::optim::AdamW opt(model->parameters(), torch::optim::AdamWOptions(1e-2).weight_decay(0.05));
  auto ids = (torch::arange(4 * 13, torch::kLong) * 5 % 17).view({4, 13}).to(device);
  for (int step = 0; step < 30; ++step) {
    auto x = ids.slice(1, 0, 12), y = ids.slice(1, 1, 13);
    auto logits = model->forward(x);
    auto loss = F::cross_entropy(logits.view({-1, 17}), y.reshape({-1}));
    opt.zero_grad();
    loss.backward();
    nn::utils::clip_grad_norm_(model->parameters(), 1.0);
    opt.step();
    if (step % 5 == 0) std::printf("%d %.5f\n", step, loss.item<float>());
  }
  model->eval();
  torch::NoGradGuard g;
  auto seq = ids.slice(1, 0, 4).slice(0, 0, 1);
  for (int i = 0; i < 6; ++i) {
    auto next = model->forward(seq).select(1, seq.size(1) - 1).argmax(-1, true);
    seq = torch::cat({seq, next}, 1);
  }
  std::cout << seq << std::endl;
  std::cout << model << std::endl;
}
