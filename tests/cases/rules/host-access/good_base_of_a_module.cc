// A pointer to a module is one to its base classes too, of which some are no modules: asking them
// for something follows no memory of the device.

#include <cuda_runtime.h>
#include <torch/script.h>
#include <torch/torch.h>

#include <memory>
#include <string>

class Requests {
 public:
  Requests(std::shared_ptr<torch::jit::Module> network, const std::string& name)
      : network_(network), infer_(network->find_method(name) ? network->get_method(name)
                                                             : network->get_method("forward")) {}

 private:
  std::shared_ptr<torch::jit::Module> network_;
  torch::jit::Method infer_;
};

struct Factory {
  explicit Factory(const std::string& path)
      : network(std::make_shared<torch::jit::Module>(torch::jit::load(path, torch::kCUDA))) {
    network->to(torch::kCUDA);
    requests = std::make_shared<Requests>(network, "infer");
  }
  std::shared_ptr<torch::jit::Module> network;
  std::shared_ptr<Requests> requests;
};

struct Named {
  std::string name;
  int count = 0;
};

struct Encoder : Named, torch::nn::Module {
  torch::nn::Linear layer = register_module("layer", torch::nn::Linear(4, 4));
  torch::Tensor forward(torch::Tensor x) { return layer(x); }
};

int count_of(Encoder* encoder) { return encoder->count + 1; }

int on_the_device() {
  auto encoder = std::make_shared<Encoder>();
  encoder->to(torch::kCUDA);
  return count_of(encoder.get());
}

struct Cached : Named {
  torch::Tensor values;
};

int cached(const Cached* cache) { return cache->count; }

int cached_on_the_device() {
  Cached cache;
  cache.values = torch::ones({4}, torch::kCUDA);
  return cached(&cache);
}
