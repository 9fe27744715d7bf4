// Correct programs that run modules part by part.

#include <torch/torch.h>

#include <memory>
#include <string>
#include <vector>

// Without parameters: works wherever its input is.
struct PoolsImpl : torch::nn::Module {
  PoolsImpl() {
    layers =
        register_module("layers", torch::nn::Sequential(torch::nn::ReLU(), torch::nn::Flatten()));
  }
  torch::Tensor forward(torch::Tensor x) {
    for (auto layer : *layers) x = layer.forward(x);
    return layers->forward(x);
  }
  torch::nn::Sequential layers{nullptr};
};
TORCH_MODULE(Pools);

void no_parameters() {
  Pools model;
  model->to(torch::kCUDA);
  auto y = model->forward(torch::rand({2, 4}));
}

// The caller moves the input, or forward does.
struct NetImpl : torch::nn::Module {
  NetImpl() : layers(torch::nn::Linear(4, 4), torch::nn::ReLU()) {
    register_module("layers", layers);
  }
  torch::Tensor forward(torch::Tensor x) {
    for (auto& layer : *layers) x = layer.forward(x);
    return x;
  }
  torch::Tensor predict(torch::Tensor x) {
    return layers->forward(x.to(layers->parameters()[0].device()));
  }
  torch::nn::Sequential layers;
};
TORCH_MODULE(Net);

void moved(torch::Device device) {
  Net model;
  auto before = model->forward(torch::rand({2, 4}));
  model->to(device);
  auto after = model->forward(torch::rand({2, 4}).to(device));
  auto either = model->predict(torch::rand({2, 4}));
  auto sum = before + after.cpu() + either.cpu();
}

// Other parts in some runs.
struct ChosenImpl : torch::nn::Module {
  explicit ChosenImpl(bool plain) {
    if (plain)
      body = torch::nn::Sequential(torch::nn::Flatten());
    else
      body = torch::nn::Sequential(torch::nn::Linear(4, 4));
    register_module("body", body);
  }
  void replace() { body = torch::nn::Sequential(torch::nn::Flatten()); }
  torch::Tensor forward(torch::Tensor x) { return body->forward(x); }
  torch::nn::Sequential body{nullptr};
};
TORCH_MODULE(Chosen);

void chosen(bool plain) {
  Chosen model(plain);
  model->to(torch::kCUDA);
  auto y = model->forward(torch::rand({2, 4}));
}

// Each part on a device of its own.
struct SpreadImpl : torch::nn::Module {
  SpreadImpl() {
    for (int i = 0; i < 2; ++i)
      parts.push_back(register_module("part" + std::to_string(i), torch::nn::Linear(4, 4)));
    for (int i = 0; i < 2; ++i) parts[i]->to(torch::Device(torch::kCUDA, i));
  }
  torch::Tensor forward(torch::Tensor x) {
    for (int i = 0; i < 2; ++i) x = parts[i](x.to(torch::Device(torch::kCUDA, i)));
    return x;
  }
  std::vector<torch::nn::Linear> parts;
};
TORCH_MODULE(Spread);

void spread() {
  Spread model;
  auto y = model->forward(torch::rand({2, 4}));
}

// A list that no module owns: each of its modules is moved.
void moved_one_by_one(int count) {
  std::vector<torch::nn::Linear> models;
  for (int i = 0; i < count; ++i) models.push_back(torch::nn::Linear(4, 4));
  for (auto& model : models) model->to(torch::kCUDA);
  auto y = models[0]->forward(torch::rand({2, 4}).cuda());
  std::vector<torch::nn::Linear> others;
  for (int i = 0; i < count; ++i) {
    others.push_back(torch::nn::Linear(4, 4));
    others.back()->to(torch::kCUDA);
  }
  for (auto& model : others) y = model(y);
}

// Not registered, and so not moved with the module: they stay on the CPU.
struct HelpersImpl : torch::nn::Module {
  HelpersImpl() {
    head = register_module("head", torch::nn::Linear(4, 4));
    for (int i = 0; i < 2; ++i) helpers.push_back(torch::nn::Linear(4, 4));
  }
  torch::Tensor forward(torch::Tensor x) {
    for (auto& helper : helpers) x = helper(x);
    return head(x.to(head->weight.device()));
  }
  torch::nn::Linear head{nullptr};
  std::vector<torch::nn::Linear> helpers;
};
TORCH_MODULE(Helpers);

void helpers() {
  Helpers model;
  model->to(torch::kCUDA);
  auto y = model->forward(torch::rand({2, 4}));
}

// A part that is moved by itself takes a part of the whole elsewhere.
void part_moved() {
  torch::nn::Sequential net(torch::nn::Linear(4, 4), torch::nn::Linear(4, 4));
  net[0]->to(torch::kCUDA);
  auto x = torch::rand({2, 4}).to(torch::kCUDA);
  auto y = net[0]->as<torch::nn::LinearImpl>()->forward(x).cpu();
  auto z = net[1]->as<torch::nn::LinearImpl>()->forward(y);
}

// A list of parts without parameters, one that has them in some runs only, and one whose
// input is moved to each part.
struct ByPlaceImpl : torch::nn::Module {
  explicit ByPlaceImpl(bool filled) {
    pools = register_module("pools", torch::nn::ModuleList());
    for (int i = 0; i < 3; ++i) pools->push_back(torch::nn::Sequential(torch::nn::ReLU()));
    some = register_module("some", torch::nn::ModuleList());
    if (filled) some->push_back(torch::nn::Sequential(torch::nn::Linear(4, 4)));
    some->push_back(torch::nn::Sequential(torch::nn::ReLU()));
    own = register_module("own", torch::nn::ModuleList());
    for (int i = 0; i < 3; ++i) own->push_back(torch::nn::Linear(4, 4));
  }
  torch::Tensor pooled(torch::Tensor x) {
    for (size_t i = 0; i < pools->size(); ++i) {
      auto& pool = pools->at<torch::nn::SequentialImpl>(i);
      x = pool.forward(x);
    }
    return x;
  }
  torch::Tensor optional(torch::Tensor x) {
    for (size_t i = 0; i < some->size(); ++i) x = some->at<torch::nn::SequentialImpl>(i).forward(x);
    return x;
  }
  torch::Tensor moved(torch::Tensor x) {
    for (size_t i = 0; i < own->size(); ++i) {
      auto& layer = own->at<torch::nn::LinearImpl>(i);
      x = layer.forward(x.to(layer.weight.device()));
    }
    return x;
  }
  torch::nn::ModuleList pools{nullptr}, some{nullptr}, own{nullptr};
};
TORCH_MODULE(ByPlace);

void by_place() {
  ByPlace model(false);
  model->to(torch::kCUDA);
  auto x = torch::rand({2, 4});
  auto y = model->pooled(x) + model->optional(x);
  auto z = model->moved(x);
  ByPlace other(true);
  auto& first = other->own->at<torch::nn::LinearImpl>(0);
  first.to(torch::kCUDA);
  auto v = first.forward(x.to(torch::kCUDA));
}
