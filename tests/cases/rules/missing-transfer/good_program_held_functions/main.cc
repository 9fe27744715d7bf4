#include "stages.h"

int main(int argc, char**) {
  torch::Device device(torch::kCUDA);
  auto x = torch::rand({3}).to(device);
  auto host = torch::rand({3});

  KeptStage stage;
  stage.run = kept_scale;
  auto y = stage.run(x);

  KeptStage both;
  both.run = kept_on_both;
  y = both.run(x);
  y = both.run(host);

  KeptStage threads;
  auto later = std::async(std::launch::async, kept_in_threads, host);
  y = later.get();

  // A lambda that finds its tensors where its arguments are.
  auto weights = torch::rand({3}).to(device);
  KeptHook hook;
  hook.set([weights](torch::Tensor t) { return t * weights; });
  y = hook.run(x);

  // A variable that has another value once the lambda runs.
  auto scale = torch::rand({3});
  std::function<torch::Tensor(torch::Tensor)> later_scaled = [&scale](torch::Tensor t) {
    return t * scale;
  };
  scale = scale.to(device);
  y = later_scaled(x);

  // A module that is moved once the lambda has captured it.
  torch::nn::Linear layer(3, 3);
  std::function<torch::Tensor(torch::Tensor)> forward = [layer](torch::Tensor t) mutable {
    return layer->forward(t);
  };
  layer->to(device);
  y = forward(x);

  // One of two functions: the run says which.
  std::function<torch::Tensor(int)> make = [](int n) { return torch::rand({n}); };
  if (argc > 1) make = [device](int n) { return torch::rand({n}, device); };
  auto made = make(3);
  if (argc > 1) y = made + x;

  KeptHook any;
  any.hook() = kept_by_name(argc > 1 ? "cpu" : "");
  y = any.run(x) + torch::ones({3});

  y = kept_object(x);
  y = kept_bound(x);
  y = kept_bound_again(x);
  y = kept_objects_in_lists(x);
}
