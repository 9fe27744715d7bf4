// A U-net: convolutions, batch norm, a transposed convolution, a class for each pixel; masks.
#include <torch/torch.h>

#include <cstdio>
#include <iostream>

#include "common.h"

struct DoubleConvImpl : torch::nn::Module {
  torch::nn::Sequential s;
  DoubleConvImpl(int i, int o)
      : s(torch::nn::Conv2d(torch::nn::Conv2dOptions(i, o, 3).padding(1).bias(false)),
          torch::nn::BatchNorm2d(o), torch::nn::ReLU(true),
          torch::nn::Conv2d(torch::nn::Conv2dOptions(o, o, {3, 3}).stride(1).padding({1, 1})),
          torch::nn::BatchNorm2d(torch::nn::BatchNorm2dOptions(o).eps(1e-4)), torch::nn::ReLU()) {
    register_module("s", s);
  }
  torch::Tensor forward(torch::Tensor x) { return s->forward(x); }
};
TORCH_MODULE(DoubleConv);
struct UNetImpl : torch::nn::Module {
  DoubleConv down{nullptr}, mid{nullptr}, up{nullptr};
  torch::nn::ConvTranspose2d t{nullptr};
  torch::nn::Conv2d out{nullptr};
  torch::nn::MaxPool2d pool{nullptr};
  UNetImpl() {
    down = register_module("down", DoubleConv(1, 4));
    mid = register_module("mid", DoubleConv(4, 8));
    up = register_module("up", DoubleConv(8, 4));
    t = register_module(
        "t", torch::nn::ConvTranspose2d(torch::nn::ConvTranspose2dOptions(8, 4, 2).stride(2)));
    out = register_module("out", torch::nn::Conv2d(4, 2, 1));
    pool = register_module("pool", torch::nn::MaxPool2d(torch::nn::MaxPool2dOptions(2).stride(2)));
  }
  torch::Tensor forward(torch::Tensor x) {
    auto a = down(x);
    auto b = mid(pool(a));
    auto c = torch::cat({a, t(b)}, 1);
    return out(up(c));
  }
};
TORCH_MODULE(UNet);
int main() {
  UNet net;
  seed_weights(*net);
  auto x = wave({2, 1, 16, 16});
  auto y = (x.squeeze(1) > 0.2).to(torch::kLong);
  torch::optim::Adam opt({net->parameters()},
                         torch::optim::AdamOptions(5e-3).betas({0.9, 0.99}).weight_decay(1e-4));
  for (int e = 0; e < 12; ++e) {
    net->train();
    opt.zero_grad();
    auto o = net(x);
    auto loss = torch::nn::CrossEntropyLoss()(o, y);
    loss.backward();
    opt.step();
    auto pred = o.argmax(1);
    auto acc = pred.eq(y).to(torch::kFloat).mean();
    auto inter = torch::logical_and(pred == 1, y == 1).sum().item<int64_t>();
    auto uni = (pred.eq(1) | y.eq(1)).sum().item<int64_t>();
    std::printf("%d %.4f %.4f %lld %lld\n", e, loss.item<float>(), acc.item<float>(),
                (long long)inter, (long long)uni);
  }
  net->eval();
  torch::NoGradGuard g;
  auto o = net(x);
  std::cout << o.sizes() << " " << o.abs().mean() << "\n";
  for (const auto& p : net->named_buffers())
    std::cout << p.key() << " " << p.value().sizes() << " "
              << p.value().to(torch::kFloat).mean().item<float>() << "\n";
  int64_t n = 0;
  for (auto& p : net->parameters())
    if (p.requires_grad()) n += p.numel();
  std::cout << n << "\n" << net << "\n";
  auto w = torch::where(x > 0, x, torch::zeros_like(x));
  std::cout << w.sum() << " " << torch::where(x > 0.9).size() << " "
            << torch::nonzero(x > 0.95).size(0) << "\n";
  x.masked_fill_(x < 0, 0);
  x.index_put_({x > 0.5}, 7);
  std::cout << x.mean() << "\n";
}
