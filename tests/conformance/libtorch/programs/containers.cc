// A model whose parts are in a ModuleDict, a ParameterList and a ParameterDict: how it prints, what
// its parameters are called, and its training.
#include <torch/torch.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common.h"

namespace nn = torch::nn;

struct TasksImpl : nn::Module {
  nn::ModuleDict layers{nullptr};
  nn::ParameterList scales{nullptr};
  nn::ParameterDict shifts{nullptr};

  TasksImpl() {
    torch::OrderedDict<std::string, std::shared_ptr<nn::Module>> parts = {
        {"body", nn::Linear(4, 6).ptr()},
        {"act", nn::Tanh().ptr()},
        {"first", nn::Linear(6, 1).ptr()}};
    layers = register_module("layers", nn::ModuleDict(parts));
    const std::vector<std::pair<std::string, std::shared_ptr<nn::Module>>> more = {
        {"second", nn::Linear(6, 2).ptr()}, {"first", nn::Linear(6, 3).ptr()}};
    layers->update(more);
    torch::Tensor first = torch::ones({1}).requires_grad_();
    scales = register_module("scales", nn::ParameterList(first));
    scales->append(torch::ones({1}).requires_grad_());
    scales->append(torch::zeros({2, 3}));
    shifts = register_module("shifts", nn::ParameterDict());
    shifts->insert("first", torch::zeros({3}).requires_grad_());
    shifts->insert("second", torch::zeros({2}).requires_grad_());
  }
  torch::Tensor forward(const torch::Tensor& x, const std::string& task) {
    const torch::Tensor h = layers["act"]->as<nn::Tanh>()->forward(
        layers["body"]->as<nn::Linear>()->forward(x) * scales[0]);
    const size_t which = task == "first" ? 0 : 1;
    return layers->at<nn::LinearImpl>(task).forward(h) * scales[which] + shifts[task];
  }
};
TORCH_MODULE(Tasks);

int main() {
  Tasks model;
  std::cout << model << "\n"
            << nn::ModuleDict() << "\n"
            << nn::ParameterList() << "\n"
            << std::noboolalpha;  // LibTorch leaves it on
  for (const std::string& key : model->layers->keys()) std::cout << key << " ";
  for (const auto& item : *model->layers) std::cout << item.value()->name() << " ";
  for (const auto& item : model->layers->items()) std::cout << item.first << " ";
  std::cout << model->layers->size() << model->layers->empty() << model->scales->size()
            << model->shifts->contains("third") << "\n";
  seed_weights(*model);
  for (const auto& item : model->named_parameters()) {
    std::cout << item.key() << " " << item.value().sizes() << " " << item.value().requires_grad()
              << "\n";
  }
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  const auto x = wave({5, 4});
  for (int step = 0; step < 20; ++step) {
    optimizer.zero_grad();
    const auto loss = (model->forward(x, "first") - wave({5, 3}, 0.8)).square().mean() +
                      (model->forward(x, "second") - wave({5, 2}, 0.9)).square().mean();
    loss.backward();
    optimizer.step();
    if (step % 5 == 4) std::printf("%d %.5f\n", step, loss.item<float>());
  }
  std::cout << model->shifts->pop("second") << model->shifts->size() << "\n";
}
