// The callers' arguments pick the CPU, or it is unknown what they pick.

#include <torch/torch.h>

#include <cstdlib>

namespace {

// The CPU, in every run.
class PicksHost {
 public:
  explicit PicksHost(int gpu) {
    if (gpu >= 0)
      device_ = torch::Device(torch::kCUDA, gpu);
    else
      device_ = torch::kCPU;
    network_->to(device_);
  }
  void run() { network_->forward(torch::rand({3, 3})); }

 private:
  torch::Device device_ = torch::kCPU;
  torch::nn::Linear network_{3, 3};
};

// The branch that is not taken would leave the CPU.
class PicksByMode {
 public:
  explicit PicksByMode(int mode) : device_(torch::kCPU) {
    if (mode == 2) device_ = torch::kCUDA;
    network_->to(device_);
  }
  void run() { network_->forward(torch::rand({3, 3})); }

 private:
  torch::Device device_;
  torch::nn::Linear network_{3, 3};
};

// One caller picks CUDA, the other the CPU, and each gives what fits.
class PicksEither {
 public:
  explicit PicksEither(bool use_gpu) : device_(use_gpu ? torch::kCUDA : torch::kCPU) {
    network_->to(device_);
  }
  void run(torch::Tensor x) { network_->forward(x); }

 private:
  torch::Device device_;
  torch::nn::Linear network_{3, 3};
};

// Two choices, of which the second counts.
class PicksTwice {
 public:
  explicit PicksTwice(int gpu) {
    device_ = gpu >= 0 ? torch::kCUDA : torch::kCPU;
    if (gpu >= 0) device_ = torch::kCPU;
    network_->to(device_);
  }
  void run() { network_->forward(torch::rand({3, 3})); }

 private:
  torch::Device device_ = torch::kCPU;
  torch::nn::Linear network_{3, 3};
};

// The number is changed before it is asked.
class PicksChanged {
 public:
  explicit PicksChanged(int gpu) {
    gpu -= 1;
    device_ = gpu >= 0 ? torch::kCUDA : torch::kCPU;
    network_->to(device_);
  }
  void run() { network_->forward(torch::rand({3, 3})); }

 private:
  torch::Device device_ = torch::kCPU;
  torch::nn::Linear network_{3, 3};
};

// A field turns the flag around.
class PicksInverse {
 public:
  explicit PicksInverse(bool on_host)
      : use_gpu_(!on_host), device_(use_gpu_ ? torch::kCUDA : torch::kCPU) {
    network_->to(device_);
  }
  void run() { network_->forward(torch::rand({3, 3})); }

 private:
  bool use_gpu_;
  torch::Device device_;
  torch::nn::Linear network_{3, 3};
};

}  // namespace

int main() {
  PicksHost host(-1);
  host.run();
  PicksByMode mode(1);
  mode.run();
  PicksEither first(true), second(false);
  first.run(torch::rand({3, 3}, torch::kCUDA));
  second.run(torch::rand({3, 3}));
  PicksTwice twice(0);
  twice.run();
  PicksChanged changed(0);
  changed.run();
  PicksInverse inverse(true);
  inverse.run();
  return 0;
}
