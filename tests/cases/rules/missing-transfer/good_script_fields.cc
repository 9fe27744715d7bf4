// TorchScript modules in fields whose place their class does not fix.

#include <torch/script.h>
#include <torch/torch.h>

#include <string>

class MovedBackToo {
 public:
  void load(const std::string& path) {
    net_ = torch::jit::load(path);
    net_.to(torch::kCUDA);
  }
  void rest() { net_.to(torch::kCPU); }
  torch::Tensor predict(float* pixels) {
    return net_.forward({torch::from_blob(pixels, {1, 3})}).toTensor();
  }

 private:
  torch::jit::script::Module net_;
};

class MovedIfAsked {
 public:
  MovedIfAsked(const std::string& path, bool gpu) : gpu_(gpu) {
    net_ = torch::jit::load(path);
    if (gpu) net_.to(torch::kCUDA);
  }
  torch::Tensor predict(float* pixels) {
    auto image = torch::from_blob(pixels, {1, 3});
    if (gpu_) image = image.to(torch::kCUDA);
    return net_.forward({image}).toTensor();
  }

 private:
  bool gpu_;
  torch::jit::script::Module net_;
};

class HandsItOut {
 public:
  explicit HandsItOut(const std::string& path) : net_(torch::jit::load(path)) {
    net_.to(torch::kCUDA);
  }
  torch::jit::script::Module& net() { return net_; }
  torch::Tensor predict(float* pixels) {
    return net_.forward({torch::from_blob(pixels, {1, 3})}).toTensor();
  }

 private:
  torch::jit::script::Module net_;
};

class ReplacedFromOutside {
 public:
  explicit ReplacedFromOutside(const std::string& path) : net_(torch::jit::load(path)) {
    net_.to(torch::kCUDA);
  }
  void use(torch::jit::script::Module net) { net_ = net; }
  torch::Tensor predict(float* pixels) {
    return net_.forward({torch::from_blob(pixels, {1, 3})}).toTensor();
  }

 private:
  torch::jit::script::Module net_;
};

class AlwaysMovesItsInput {
 public:
  void load(const std::string& path) {
    net_ = torch::jit::load(path);
    net_.to(torch::kCUDA);
  }
  torch::Tensor predict(float* pixels) {
    return net_.forward({torch::from_blob(pixels, {1, 3}).to(torch::kCUDA)}).toTensor();
  }

 private:
  torch::jit::script::Module net_;
};
