// A variational autoencoder: random numbers in the forward pass, a loss of two parts.
#include <torch/torch.h>

#include <cstdio>
#include <iostream>

#include "common.h"

namespace F = torch::nn::functional;
struct VAEImpl : torch::nn::Module {
  torch::nn::Linear fc1, fc21, fc22, fc3, fc4;
  VAEImpl() : fc1(20, 16), fc21(16, 4), fc22(16, 4), fc3(4, 16), fc4(16, 20) {
    register_module("fc1", fc1);
    register_module("fc21", fc21);
    register_module("fc22", fc22);
    register_module("fc3", fc3);
    register_module("fc4", fc4);
  }
  std::pair<torch::Tensor, torch::Tensor> encode(torch::Tensor x) {
    auto h = F::relu(fc1->forward(x));
    return {fc21->forward(h), fc22->forward(h)};
  }
  torch::Tensor reparameterize(torch::Tensor mu, torch::Tensor logvar) {
    if (!is_training()) return mu;
    auto std = logvar.div(2).exp_();
    auto eps = torch::randn_like(std);
    return eps.mul(std).add_(mu);
  }
  torch::Tensor decode(torch::Tensor z) {
    return torch::sigmoid(fc4->forward(F::relu(fc3->forward(z))));
  }
  std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> forward(torch::Tensor x) {
    auto e = encode(x);
    auto z = reparameterize(e.first, e.second);
    return std::make_tuple(decode(z), e.first, e.second);
  }
};
TORCH_MODULE(VAE);
int main() {
  torch::manual_seed(7);
  VAE vae;
  seed_weights(*vae);
  torch::optim::Adam opt(vae->parameters(), torch::optim::AdamOptions(1e-2));
  auto data = (wave({32, 20}) + 1) / 2;
  for (int e = 0; e < 20; ++e) {
    auto [rec, mu, logvar] = vae->forward(data);
    auto bce = F::binary_cross_entropy(rec, data,
                                       F::BinaryCrossEntropyFuncOptions().reduction(torch::kSum));
    auto kld = -0.5 * torch::sum(1 + logvar - mu.pow(2) - logvar.exp());
    auto loss = bce + kld;
    opt.zero_grad();
    loss.backward();
    opt.step();
    std::printf("%d %.4f %.4f\n", e, bce.item<double>(), kld.item<double>());
  }
  vae->eval();
  torch::NoGradGuard g;
  auto [rec, mu, lv] = vae(data);
  std::cout << rec.slice(0, 0, 2) << "\n"
            << mu.mean(0) << "\n"
            << lv.std() << " " << lv.var(0) << std::endl;
}
