// TorchScript modules that a class reads from a file in one method and runs in another.

#include <torch/script.h>
#include <torch/torch.h>

#include <iostream>
#include <string>

class LoadsLater {
 public:
  void load(const std::string& path) {
    net_ = torch::jit::load(path);
    net_.to(torch::kCUDA);
    net_.eval();
  }
  torch::Tensor predict(float* pixels) {
    auto image = torch::from_blob(pixels, {1, 3, 8, 8});
    return net_.forward({image}).toTensor();  // LINT: missing-transfer
  }

 private:
  torch::jit::script::Module net_;
};

class SaysWhatFailed {
 public:
  explicit SaysWhatFailed(const std::string& path) {
    try {
      net_ = torch::jit::load(path);
    } catch (const c10::Error& error) {
      std::cerr << error.what();
      return;
    }
    net_.to(torch::kCUDA);
  }
  torch::Tensor predict(float* pixels) {
    auto image = torch::from_blob(pixels, {1, 3, 8, 8});
    return net_.forward({image}).toTensor();  // LINT: missing-transfer
  }

 private:
  torch::jit::script::Module net_;
};

class ReadsToItsDevice {
 public:
  explicit ReadsToItsDevice(const std::string& path) {
    if (torch::cuda::is_available()) device_ = torch::kCUDA;
    try {
      net_ = torch::jit::load(path, device_);
    } catch (const c10::Error& error) {
      std::cerr << error.what();
    }
  }
  torch::Tensor predict(float* pixels) {
    auto image = torch::from_blob(pixels, {1, 3, 8, 8});
    return net_.forward({image}).toTensor();  // LINT: missing-transfer
  }

 private:
  torch::Device device_{torch::kCPU};
  torch::jit::script::Module net_;
};

class ConvertsItLater {
 public:
  explicit ConvertsItLater(const std::string& path) : net_(torch::jit::load(path)) {
    net_.to(torch::kCUDA);
  }
  void halve() { net_.to(torch::kHalf); }
  torch::Tensor predict(float* pixels) {
    auto image = torch::from_blob(pixels, {1, 3, 8, 8});
    return net_.forward({image}).toTensor();  // LINT: missing-transfer
  }

 private:
  torch::jit::script::Module net_;
};
