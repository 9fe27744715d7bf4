// Other methods, and code that makes objects, know the tensors that constructors leave in fields.

#include <torch/torch.h>

// A module that the constructor moved.
namespace moved_by_the_constructor {

class Trainer {
 public:
  Trainer() : device_(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU), model_(8, 8) {
    model_->to(device_);
  }
  torch::Tensor wrong() {
    auto x = torch::ones({8, 8});
    return model_->forward(x);  // LINT: missing-transfer
  }
  torch::Tensor right() {
    auto x = torch::ones({8, 8});
    return model_->forward(x.to(device_));
  }
  torch::Tensor made_there() { return model_->forward(torch::ones({8, 8}, device_)); }

 private:
  torch::Device device_;
  torch::nn::Linear model_;
};

}  // namespace moved_by_the_constructor

// A constructor with a handler ends as its last call left it.
namespace with_a_handler {

torch::nn::Linear read(int path);
class Detector {
 public:
  Detector(int path, torch::Device device) : device_(device), model_(8, 8) {
    try {
      model_ = read(path);
    } catch (int) {
      throw;
    }
    model_->to(device_);
    model_->eval();
  }
  torch::Tensor right() { return model_->forward(torch::ones({8, 8}).to(device_)); }
  torch::Tensor wrong() { return model_->forward(torch::ones({8, 8})); }  // LINT: missing-transfer
 private:
  torch::Device device_;
  torch::nn::Linear model_;
};

torch::Tensor moved(torch::Tensor x) {
  try {
    return x.cuda();
  } catch (int) {
    throw;
  }
}

torch::Tensor uses(torch::Tensor x) {
  return moved(x) + torch::ones({8, 8});  // LINT: missing-transfer
}

}  // namespace with_a_handler

// A device that the caller gave.
namespace given_device {

class Agent {
 public:
  explicit Agent(torch::Device device) : device_(device), model_(8, 8) { model_->to(device); }
  torch::Tensor wrong() { return model_->forward(torch::ones({8, 8})); }  // LINT: missing-transfer
  torch::Tensor act(torch::Tensor x) { return model_->forward(x); }
  torch::Tensor moves(torch::Tensor x) { return model_->forward(x.to(device_)); }

 private:
  torch::Device device_;
  torch::nn::Linear model_;
};

void run() {
  Agent agent(torch::kCUDA);
  auto x = torch::ones({8, 8});
  agent.act(x);  // LINT: missing-transfer
  agent.act(x.to(torch::kCUDA));
  agent.moves(x);
  Agent host(torch::kCPU);
  host.act(x);
}

}  // namespace given_device
