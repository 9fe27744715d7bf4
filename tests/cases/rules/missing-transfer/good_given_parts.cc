// Modules that register what they are given, on the device that it is on.

#include <torch/torch.h>

struct WrapperImpl : torch::nn::Module {
  explicit WrapperImpl(torch::nn::Sequential given) : inner(given) {
    register_module("inner", inner);
  }
  torch::Tensor forward(torch::Tensor x) { return inner->forward(x); }
  torch::nn::Sequential inner;
};
TORCH_MODULE(Wrapper);

torch::Tensor wraps_what_is_on_cuda() {
  torch::nn::Sequential inner{torch::nn::Linear(8, 8)};
  inner->to(torch::kCUDA);
  Wrapper wrapper(inner);
  return wrapper->forward(torch::rand({1, 8}, torch::kCUDA));
}

torch::Tensor wraps_anything(torch::nn::Sequential inner) {
  Wrapper wrapper(inner);
  return wrapper->forward(torch::rand({1, 8}, torch::kCUDA));
}

struct HeadedImpl : torch::nn::Module {
  HeadedImpl() { body = register_module("body", torch::nn::Linear(8, 8)); }
  void put(torch::nn::Linear given) { head = register_module("head", given); }
  void grow(torch::Device device) {
    tail = register_module("tail", torch::nn::Linear(4, 2));
    to(device);
  }
  torch::Tensor forward(torch::Tensor x) { return head->forward(body->forward(x)); }
  torch::nn::Linear body{nullptr}, head{nullptr}, tail{nullptr};
};
TORCH_MODULE(Headed);

torch::Tensor head_follows() {
  Headed model;
  model->to(torch::kCUDA);
  torch::nn::Linear head(8, 4);
  head->to(torch::kCUDA);
  model->put(head);
  return model->forward(torch::rand({1, 8}, torch::kCUDA));
}

torch::Tensor head_from_elsewhere(torch::nn::Linear head) {
  Headed model;
  model->put(head);
  model->to(torch::kCUDA);
  return model->forward(torch::rand({1, 8}, torch::kCUDA));
}

torch::Tensor grows_and_moves() {
  Headed model;
  model->put(torch::nn::Linear(8, 4));
  model->grow(torch::kCUDA);
  return model->forward(torch::rand({1, 8}, torch::kCUDA));
}

torch::Tensor set_on_each_path(bool wide) {
  torch::nn::Linear layer{nullptr};
  if (wide)
    layer = torch::nn::Linear(8, 16);
  else
    layer = torch::nn::Linear(8, 8);
  layer->to(torch::kCUDA);
  return layer->forward(torch::rand({1, 8}, torch::kCUDA));
}

void fill(torch::nn::Linear& layer);

torch::Tensor filled_elsewhere() {
  torch::nn::Linear layer{nullptr};
  fill(layer);
  return layer->forward(torch::rand({1, 8}, torch::kCUDA));
}

struct Base : torch::nn::Module {
  Base() = default;
};

struct DerivedImpl : Base {
  explicit DerivedImpl(torch::nn::Linear given) : Base(), layer(given) {
    register_module("layer", layer);
  }
  torch::Tensor forward(torch::Tensor x) { return layer->forward(x); }
  torch::nn::Linear layer;
};
TORCH_MODULE(Derived);

torch::Tensor derived() {
  torch::nn::Linear layer(8, 8);
  layer->to(torch::kCUDA);
  Derived model(layer);
  return model->forward(torch::rand({1, 8}, torch::kCUDA));
}
