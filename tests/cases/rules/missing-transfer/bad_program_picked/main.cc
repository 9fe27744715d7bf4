// All callers give a number or a flag that picks CUDA, or the CPU, in every run.

#include <torch/torch.h>

namespace {

// By a number.
class PickedByNumber {
 public:
  void initialize(int gpu) {
    if (gpu >= 0) {
      if (gpu >= 8) std::cout << "there is no GPU " << gpu << '\n';
      device_ = torch::Device(torch::kCUDA, gpu);
    } else {
      device_ = torch::Device(torch::kCPU);
    }
    network_ = torch::nn::Linear(3, 3);
    network_->to(device_);
  }
  void run() { network_->forward(torch::rand({3, 3})); }  // LINT: missing-transfer

 private:
  torch::Device device_ = torch::Device(torch::kCPU);
  torch::nn::Linear network_{nullptr};
};

// By a flag, which a caller hands on.
class PickedByFlag {
 public:
  explicit PickedByFlag(bool on_host) : device_(!on_host ? torch::kCUDA : torch::kCPU) {
    network_->to(device_);
  }
  void run() { network_->forward(torch::rand({3, 3})); }  // LINT: missing-transfer

 private:
  torch::Device device_;
  torch::nn::Linear network_{3, 3};
};

void run_picked(bool on_host) {
  PickedByFlag picked(on_host);
  picked.run();
}

// The CPU, in every run.
class PickedHost {
 public:
  explicit PickedHost(bool use_gpu) : device_(use_gpu ? torch::kCUDA : torch::kCPU) {
    network_->to(device_);
  }
  void run() { network_->forward(torch::rand({3, 3}, torch::kCUDA)); }  // LINT: missing-transfer

 private:
  torch::Device device_;
  torch::nn::Linear network_{3, 3};
};

}  // namespace

int main() {
  PickedByNumber numbered;
  numbered.initialize(0);
  numbered.run();
  run_picked(false);
  PickedHost host(false);
  host.run();
  return 0;
}
