// Flags that settle a choice, whatever devices there are.

#include <torch/torch.h>

class Camera {
 public:
  Camera(int64_t size, bool use_cuda) : net(size, size), device(torch::kCPU) {
    if (use_cuda && torch::cuda::is_available()) device = torch::Device(torch::kCUDA, 0);
    net->to(device);
  }
  torch::nn::Linear net;
  torch::Device device;
};

void films(const torch::Tensor& image) {
  Camera camera(8, false);
  camera.net->forward(torch::zeros({8, 8}));
}

// The other value of the flag.
class Walker {
 public:
  explicit Walker(bool no_cuda = true) : net(8, 8) {
    const bool cuda = !no_cuda && torch::cuda::is_available();
    net->to(cuda ? torch::kCUDA : torch::kCPU);
  }
  torch::nn::Linear net;
};

class Walk {
 public:
  explicit Walk(bool no_cuda) : walker(no_cuda) {}
  Walker walker;
};

void walks() {
  Walker walker;
  walker.net->forward(torch::zeros({8, 8}));
  Walk walk(true);
  walk.walker.net->forward(torch::zeros({8, 8}));
}

// Either of two flags.
torch::Device choose(bool cpu_only, bool debug) {
  if (cpu_only || debug || !torch::cuda::is_available()) return torch::kCPU;
  return torch::kCUDA;
}

torch::Device choose_early(bool use_cuda) {
  if (!use_cuda) return torch::kCPU;
  return torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
}

void chooses() {
  torch::nn::Linear net(8, 8);
  net->to(choose(true, false));
  net->forward(torch::zeros({8, 8}));
  torch::nn::Linear other(8, 8);
  other->to(choose(false, true));
  other->forward(torch::zeros({8, 8}));
  torch::nn::Linear early(8, 8);
  early->to(choose_early(false));
  early->forward(torch::zeros({8, 8}));
}
