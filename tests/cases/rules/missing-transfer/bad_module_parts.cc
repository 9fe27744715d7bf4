// Modules whose forward is that of their parts: Sequential members, lists of modules, parts that
// are looped over.

#include <torch/torch.h>

#include <string>
#include <vector>

struct EncoderImpl : torch::nn::Module {
  EncoderImpl() {
    body = register_module("body",
                           torch::nn::Sequential(torch::nn::Flatten(), torch::nn::Linear(16, 4)));
  }
  torch::Tensor forward(torch::Tensor x) { return body->forward(x); }
  torch::nn::Sequential body{nullptr};
};
TORCH_MODULE(Encoder);

void sequential_member() {
  Encoder model;
  model->to(torch::kCUDA);
  auto x = torch::rand({2, 4, 4});
  auto y = model->forward(x);  // LINT: missing-transfer
}

struct LoopImpl : torch::nn::Module {
  LoopImpl() : layers(torch::nn::Linear(4, 4), torch::nn::ReLU()) {
    register_module("layers", layers);
  }
  torch::Tensor forward(torch::Tensor x) {
    for (auto layer : *layers) x = layer.forward(x);
    return x;
  }
  std::vector<torch::Tensor> steps(torch::Tensor x) {
    std::vector<torch::Tensor> all;
    for (auto& layer : *layers) {
      x = layer.forward<torch::Tensor>(x);
      all.push_back(x);
    }
    return all;
  }
  torch::nn::Sequential layers;
};
TORCH_MODULE(Loop);

void parts_looped_over() {
  Loop model;
  model->to(torch::kCUDA);
  auto x = torch::rand({2, 4});
  auto y = model->forward(x);    // LINT: missing-transfer
  auto steps = model->steps(x);  // LINT: missing-transfer
}

torch::nn::Sequential make_layers(int count) {
  torch::nn::Sequential layers;
  layers->push_back(Encoder());
  for (int i = 0; i < count; ++i) {
    layers->push_back(torch::nn::Linear(4, 4));
    layers->push_back(torch::nn::ReLU());
  }
  return layers;
}

struct StackedImpl : torch::nn::Module {
  explicit StackedImpl(int count) : layers(make_layers(count)) {
    register_module("layers", layers);
  }
  torch::Tensor forward(torch::Tensor x) { return layers->forward(x); }

 private:
  torch::nn::Sequential layers;
};
TORCH_MODULE(Stacked);

struct BlockImpl : torch::nn::Module {
  BlockImpl() : conv(register_module("conv", torch::nn::Conv2d(3, 3, 3))) {}
  torch::Tensor forward(torch::Tensor x) { return torch::relu(conv(x)); }
  torch::nn::Conv2d conv;
};
TORCH_MODULE(Block);

struct BlocksImpl : torch::nn::Module {
  BlocksImpl() : blocks(torch::nn::Sequential(Block(), Block())) {
    register_module("blocks", blocks);
  }
  torch::Tensor forward(torch::Tensor x) { return blocks->forward(x); }
  torch::nn::Sequential blocks;
};
TORCH_MODULE(Blocks);

void made_elsewhere() {
  Stacked stacked(3);
  stacked->to(torch::kCUDA);
  auto y = stacked->forward(torch::rand({2, 4}));  // LINT: missing-transfer
  Blocks blocks;
  blocks->to(torch::kCUDA);
  auto z = blocks->forward(torch::rand({2, 3, 8, 8}));  // LINT: missing-transfer
}

// A list of modules that are registered one by one: as they are put there, later, by a loop,
// through a variable.
struct ListsImpl : torch::nn::Module {
  explicit ListsImpl(int count) {
    for (int i = 0; i < count; ++i)
      pushed.push_back(register_module("p" + std::to_string(i), torch::nn::Linear(4, 4)));
    for (int i = 0; i < count; ++i) {
      later.emplace_back(4, 4);
      register_module("l" + std::to_string(i), later.back());
    }
    for (int i = 0; i < count; ++i) {
      auto one = torch::nn::Linear(4, 4);
      named.push_back(one);
      register_module("n" + std::to_string(i), one);
    }
  }
  torch::Tensor through_pushed(torch::Tensor x) {
    for (auto& layer : pushed) x = torch::relu(layer(x));
    return x;
  }
  torch::Tensor through_later(torch::Tensor x) { return later[0]->forward(x); }
  torch::Tensor through_named(torch::Tensor x) { return named.front()->forward(x); }

 private:
  std::vector<torch::nn::Linear> pushed, later, named;
};
TORCH_MODULE(Lists);

void lists() {
  Lists model(3);
  model->to(torch::kCUDA);
  auto x = torch::rand({2, 4});
  auto a = model->through_pushed(x);  // LINT: missing-transfer
  auto b = model->through_later(x);   // LINT: missing-transfer
  auto c = model->through_named(x);   // LINT: missing-transfer
}

// Layers that a loop makes, each a Sequential, run by their places; a part whose class nobody gave
// a constructor.
struct PassImpl : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) { return x; }
};
TORCH_MODULE(Pass);

struct DeepImpl : torch::nn::Module {
  explicit DeepImpl(int count) {
    layers = register_module("layers", torch::nn::ModuleList());
    for (int i = 0; i < count; ++i) {
      torch::nn::Sequential layer;
      layer->push_back(torch::nn::Linear(4, 4));
      layer->push_back(Pass());
      layers->push_back(layer);
    }
    norm = register_module("norm", Pass());
  }
  torch::Tensor forward(torch::Tensor x) {
    for (size_t i = 0; i < layers->size(); ++i) {
      auto& layer = layers->at<torch::nn::SequentialImpl>(i);
      auto y = layer.forward(x);
      x = i == 0 ? y : x + y;
    }
    return norm->forward(x);
  }
  torch::nn::ModuleList layers{nullptr};
  Pass norm{nullptr};
};
TORCH_MODULE(Deep);

void deep(torch::Device device) {
  Deep model(3);
  auto x = torch::rand({2, 4}).to(device);
  auto y = model->forward(x);  // LINT: missing-transfer
}
