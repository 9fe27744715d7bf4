// Helpers register the members: of a base class, of the class itself, free functions, lambdas.

#include <torch/torch.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

struct Keeper : torch::nn::Module {
  template <class Part>
  Part add(const std::string& name, Part part) {
    return register_module(name, part);
  }
  torch::Tensor keep(const std::string& name, torch::Tensor value) {
    return register_parameter(name, value);
  }
  torch::nn::Linear linear(const std::string& name, int64_t in, int64_t out) {
    auto layer = register_module(name, torch::nn::Linear(in, out));
    return layer;
  }
  void note(const std::string& name, torch::Tensor& value) { value = register_buffer(name, value); }
  void fill(const std::string& name, torch::Tensor& value, int64_t size) {
    value = torch::zeros({size});
    note(name, value);
  }
};

struct KeptImpl : Keeper {
  KeptImpl() {
    first = add("first", torch::nn::Linear(4, 4));
    second = linear("second", 4, 4);
    weight = keep("weight", torch::zeros({4}));
    bias = torch::zeros({4});
    note("bias", bias);
    fill("shift", shift, 4);
  }
  torch::Tensor forward(torch::Tensor x) { return second(first(x * weight + bias - shift)); }
  torch::nn::Linear first{nullptr}, second{nullptr};
  torch::Tensor weight, bias, shift;
};
TORCH_MODULE(Kept);

struct Builder : torch::nn::Module {
  template <class Part>
  std::shared_ptr<Part> hold(const std::string& name, std::shared_ptr<Part> part) {
    parts_.push_back(register_module(name, part));
    return part;
  }
  template <class Part, class... Arguments>
  std::shared_ptr<Part> build(const std::string& name, Arguments&&... arguments) {
    auto part = std::make_shared<Part>(std::forward<Arguments>(arguments)...);
    register_module(name, part);
    return part;
  }
  void buffer(const std::string& name, torch::Tensor* value) {
    *value = register_buffer(name, *value);
  }
  torch::Tensor& moved(const std::string& name, torch::Tensor&& value) {
    return this->register_buffer(name, std::move(value));
  }
  void all(std::vector<torch::nn::Linear>& layers) {
    int number = 0;
    for (auto& layer : layers) register_module("layer" + std::to_string(number++), layer);
  }
  std::vector<std::shared_ptr<torch::nn::Module>> parts_;
};

struct BuiltImpl : Builder {
  BuiltImpl() : last(build<torch::nn::LinearImpl>("last", 4, 4)) {
    first = hold("first", std::make_shared<torch::nn::LinearImpl>(4, 4));
    second = build<torch::nn::LinearImpl>("second", 4, 4);
    scale = torch::ones({4});
    buffer("scale", &scale);
    shift = moved("shift", torch::ones({4}));
    for (int i = 0; i < 3; ++i) layers.push_back(torch::nn::Linear(4, 4));
    all(layers);
    auto add = [this](const char* name, torch::Tensor value) {
      return register_buffer(name, value);
    };
    mean = add("mean", torch::ones({4}));
    auto any = [&](const auto& name, auto& value) { value = register_buffer(name, value); };
    deviation = torch::ones({4});
    any("deviation", deviation);
  }
  torch::Tensor forward(torch::Tensor x) {
    x = first->forward(x) * scale + shift;
    x = second->forward(x) * deviation + mean;
    for (auto& layer : layers) x = layer->forward(x);
    return last->forward(x);
  }
  std::shared_ptr<torch::nn::LinearImpl> first, second, last;
  torch::Tensor scale, shift, mean, deviation;
  std::vector<torch::nn::Linear> layers;
};
TORCH_MODULE(Built);

template <class Part>
Part attach(torch::nn::Module& to, const std::string& name, Part part) {
  return to.register_module(name, part);
}

torch::Tensor attach_buffer(torch::nn::Module* to, const std::string& name, torch::Tensor value) {
  return to->register_buffer(name, value);
}

struct AttachedImpl : torch::nn::Module {
  AttachedImpl() {
    layer = attach(*this, "layer", torch::nn::Linear(4, 4));
    scale = attach_buffer(this, "scale", torch::zeros({4}));
    shift = own("shift", torch::zeros({4}));
  }
  torch::Tensor forward(torch::Tensor x) { return layer(x * scale + shift); }
  torch::Tensor own(const char* name, torch::Tensor value) {
    return register_parameter(name, value);
  }
  torch::nn::Linear layer{nullptr};
  torch::Tensor scale, shift;
};
TORCH_MODULE(Attached);

torch::Tensor run_kept(torch::Tensor x, torch::Device device) {
  Kept kept;
  kept->to(device);
  Built built;
  built->to(device);
  Attached attached;
  attached->to(device);
  x = x.to(device);
  return kept->forward(built->forward(attached->forward(x)));
}
