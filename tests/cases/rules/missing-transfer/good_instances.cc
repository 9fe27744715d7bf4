// Objects of one class on different devices: what one has says nothing of another.

#include <torch/torch.h>

#include <functional>
#include <memory>
#include <vector>

class Model {
 public:
  explicit Model(torch::Device device = torch::kCPU) : device_(device) { net_->to(device_); }
  torch::Tensor forward(torch::Tensor x) { return net_->forward(x); }
  torch::Device device_;
  torch::nn::Linear net_{3, 3};
};

torch::Tensor by_default_and_by_name() {
  Model one;
  Model other(torch::kCUDA);
  auto x = torch::rand({2, 3});
  return one.forward(x) + one.net_->forward(x) + other.forward(x.cuda()).cpu();
}

torch::Tensor in_a_list() {
  std::vector<std::unique_ptr<Model>> models;
  models.push_back(std::make_unique<Model>(torch::Device(torch::kCUDA, 0)));
  models.push_back(std::make_unique<Model>());
  return models.back()->forward(torch::rand({2, 3}));
}

torch::Tensor held_by_a_function() {
  auto model = std::make_shared<Model>(torch::kCPU);
  std::function<torch::Tensor(torch::Tensor)> run = [model](torch::Tensor x) {
    return model->forward(x);
  };
  return run(torch::rand({2, 3})) + model->net_->forward(torch::rand({2, 3}));
}

struct Config {
  torch::Device device = torch::kCPU;
};

class Trainer {
 public:
  explicit Trainer(Config config) : config_(config) { net_->to(config_.device); }
  torch::Tensor step(torch::Tensor x) { return net_->forward(x); }
  Config config_;
  torch::nn::Linear net_{3, 3};
};

torch::Tensor by_a_record() {
  Config here;
  Config there;
  there.device = torch::kCUDA;
  Trainer one(here);
  Trainer other(there);
  auto x = torch::rand({2, 3});
  return one.step(x) + other.step(x.cuda()).cpu();
}

class Weights {
 public:
  static Weights on_cpu() { return Weights(torch::kCPU); }
  static Weights on_cuda() { return Weights(torch::kCUDA); }
  explicit Weights(torch::Device device) : values_(torch::ones({3, 3}, device)) {}
  torch::Tensor apply(torch::Tensor x) { return x.mm(values_); }
  torch::Tensor values_;
};

torch::Tensor by_who_made_it() {
  auto one = Weights::on_cpu();
  auto other = Weights::on_cuda();
  auto x = torch::rand({2, 3});
  return one.apply(x) + other.apply(x.cuda()).cpu();
}

class Movable {
 public:
  void to(torch::Device device) {
    device_ = device;
    net_->to(device);
  }
  torch::Device device_ = torch::kCPU;
  torch::nn::Linear net_{3, 3};
};

torch::Tensor by_a_setter() {
  Movable one, other;
  other.to(torch::kCUDA);
  auto x = torch::rand({2, 3});
  return one.net_->forward(x) + other.net_->forward(x.to(other.device_)).cpu();
}
