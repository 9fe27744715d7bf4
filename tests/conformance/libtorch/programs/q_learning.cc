// Deep Q-learning: a replay memory, a target network that is copied over, gather, clamped
// gradients.
#include <torch/torch.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <iostream>
#include <random>

#include "common.h"

struct Net : torch::nn::Module {
  torch::nn::Sequential body{nullptr};
  Net(int64_t s, int64_t a) {
    body = register_module(
        "body", torch::nn::Sequential(torch::nn::Linear(s, 24), torch::nn::Tanh(),
                                      torch::nn::Linear(24, 24),
                                      torch::nn::ReLU(torch::nn::ReLUOptions().inplace(true)),
                                      torch::nn::Linear(24, a)));
  }
  torch::Tensor forward(const torch::Tensor& x) { return body->forward(x); }
};
struct Step {
  torch::Tensor s;
  int64_t a;
  float r;
  torch::Tensor n;
  bool done;
};
int main() {
  auto online = std::make_shared<Net>(4, 3), target = std::make_shared<Net>(4, 3);
  seed_weights(*online);
  target->to(place());
  auto sync = [&] {
    torch::NoGradGuard g;
    auto from = online->named_parameters(true);
    auto to = target->named_parameters(true);
    for (auto& p : from) {
      auto* t = to.find(p.key());
      if (t != nullptr) t->copy_(p.value());
    }
  };
  sync();
  torch::optim::Adam opt(online->parameters(), torch::optim::AdamOptions(1e-3));
  std::deque<Step> memory;
  std::mt19937 rng(3);
  auto env = [&](torch::Tensor s, int64_t a) {
    auto n = torch::tanh(s * 0.9 + double(a) * 0.1 - 0.05);
    return std::make_pair(n, float(1 - n.abs().sum().item<float>()));
  };
  auto state = torch::tensor({0.1f, -0.2f, 0.3f, 0.05f}).to(place());
  for (int t = 0; t < 120; ++t) {
    int64_t action;
    {
      torch::NoGradGuard g;
      auto q = online->forward(state.unsqueeze(0));
      action = (rng() % 100 < 30) ? int64_t(rng() % 3) : q.argmax(1).item<int64_t>();
    }
    auto [next, reward] = env(state, action);
    memory.push_back({state, action, reward, next, t % 20 == 19});
    state = t % 20 == 19 ? torch::tensor({0.1f, -0.2f, 0.3f, 0.05f}).to(place()) : next;
    if (memory.size() < 32) continue;
    std::vector<torch::Tensor> s, n;
    std::vector<int64_t> a;
    std::vector<float> r, d;
    for (int i = 0; i < 16; ++i) {
      auto& m = memory[rng() % memory.size()];
      s.push_back(m.s);
      n.push_back(m.n);
      a.push_back(m.a);
      r.push_back(m.r);
      d.push_back(m.done ? 0.f : 1.f);
    }
    auto S = torch::stack(s), N = torch::stack(n);
    auto A = torch::from_blob(a.data(), {16, 1}, torch::TensorOptions().dtype(torch::kInt64))
                 .clone()
                 .to(place());
    auto R = torch::tensor(r).unsqueeze(1).to(place());
    auto D = torch::tensor(d, torch::dtype(torch::kFloat32)).unsqueeze(1).to(place());
    auto q = online->forward(S).gather(1, A);
    torch::Tensor y;
    {
      torch::NoGradGuard g;
      y = R + 0.99 * D * std::get<0>(target->forward(N).max(1, true));
    }
    auto loss = torch::smooth_l1_loss(q, y);
    opt.zero_grad();
    loss.backward();
    for (auto& p : online->parameters()) p.grad().data().clamp_(-1, 1);
    opt.step();
    if (t % 20 == 0) {
      sync();
      std::printf("%d %.6f\n", t, loss.item<float>());
    }
  }
  auto probs = torch::softmax(online->forward(state.unsqueeze(0)), 1);
  std::cout << probs << std::endl;
  auto logp = torch::log(probs);
  auto entropy = -(probs * logp).sum(1);
  std::cout << entropy << std::endl;
}
