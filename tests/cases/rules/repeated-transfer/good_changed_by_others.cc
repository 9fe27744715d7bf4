// The same tensor is downloaded again, but other code may have changed it in between: by another
// name, or as its optimizer.

#include <torch/torch.h>

#include <functional>

struct Simulation {
  torch::Tensor state;
  void step();
  void halve() { state.add_(state); }
};

torch::Tensor stepped(torch::Tensor x, torch::optim::SGD& optimizer) {
  auto a = x.cpu();
  optimizer.step();
  return a + x.cpu();
}

torch::Tensor of_a_module(torch::nn::Linear& net, torch::optim::SGD& optimizer) {
  auto a = net->weight.cpu();
  optimizer.step();
  return a + net->weight.cpu();
}

torch::Tensor unseen(torch::Tensor x, Simulation& simulation) {
  auto a = x.cpu();
  simulation.step();
  return a + x.cpu();
}

torch::Tensor seen(torch::Tensor x, Simulation& simulation) {
  auto a = x.cpu();
  simulation.halve();
  return a + x.cpu();
}

torch::Tensor other_name(torch::Tensor x, torch::Tensor y) {
  auto a = x.cpu();
  y.add_(torch::ones({2, 2}));
  return a + x.cpu();
}

torch::Tensor called_back(torch::Tensor x, std::function<void()> f) {
  auto a = x.cpu();
  f();
  return a + x.cpu();
}

torch::Tensor restored(torch::nn::Linear& net, torch::optim::SGD& optimizer) {
  net->to(torch::kCUDA);
  auto best = net->weight.cpu();
  optimizer.step();
  return best.cuda();
}

torch::Tensor changed_here(torch::Tensor x) {
  auto a = x.cpu();
  x.add_(a);
  return a + x.cpu();
}

torch::Tensor of_the_host() {
  torch::Device host = torch::kCPU;
  auto x = torch::ones({2, 2}, host);
  return x.cpu() + x.cpu();
}
