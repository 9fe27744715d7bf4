// Fields that somebody changes, and devices that are never CUDA.

#include <torch/torch.h>

// A field that somebody changes is not known.
namespace changed {

class Moves {
 public:
  Moves() : model_(8, 8) { model_->to(torch::kCUDA); }
  void back() { model_->to(torch::kCPU); }
  torch::Tensor run() { return model_->forward(torch::ones({8, 8})); }

 private:
  torch::nn::Linear model_;
};

class HandsOut {
 public:
  HandsOut() : model_(8, 8) { model_->to(torch::kCUDA); }
  torch::nn::Linear& model() { return model_; }
  torch::Tensor run() { return model_->forward(torch::ones({8, 8})); }

 private:
  torch::nn::Linear model_;
};

struct Open {
  Open() : model(8, 8) { model->to(torch::kCUDA); }
  torch::Tensor run() { return model->forward(torch::ones({8, 8})); }
  torch::nn::Linear model;
};

void elsewhere(Open& open) { open.model = torch::nn::Linear(8, 8); }
class TwoWays {
 public:
  TwoWays() : model_(8, 8) { model_->to(torch::kCUDA); }
  TwoWays(int) : model_(8, 8) {}
  torch::Tensor run() { return model_->forward(torch::ones({8, 8})); }

 private:
  torch::nn::Linear model_;
};

}  // namespace changed

// A device that is never CUDA.
namespace never_cuda {

class OnHost {
 public:
  OnHost() : model_(8, 8) { model_->to(device_); }
  torch::Tensor run() { return model_->forward(torch::ones({8, 8})); }

 private:
  torch::Device device_ = torch::kCPU;
  torch::nn::Linear model_;
};

static torch::Device place = torch::kCPU;
torch::Tensor everywhere() {
  torch::nn::Linear model(8, 8);
  model->to(place);
  return model->forward(torch::ones({8, 8}));
}

}  // namespace never_cuda
