// Flags that callers give for certain, and that leave the choice of a device to the run.

#include <torch/torch.h>

class Detector {
 public:
  Detector(int64_t size, bool use_cuda) : net(size, size), device(torch::kCPU) {
    if (use_cuda && torch::cuda::is_available()) device = torch::Device(torch::kCUDA, 0);
    net->to(device);
  }
  torch::nn::Linear net;
  torch::Device device;
};

void detects(const torch::Tensor& image) {
  Detector detector(8, true);
  detector.net->forward(torch::zeros({8, 8}));  // LINT: missing-transfer
  detector.net->forward(torch::zeros({8, 8}).to(detector.device));
}

// The flag says no, its default leaves the choice open, and it passes through another constructor.
class Player {
 public:
  explicit Player(bool no_cuda = false) : net(8, 8) {
    const bool cuda = !no_cuda && torch::cuda::is_available();
    net->to(cuda ? torch::kCUDA : torch::kCPU);
  }
  torch::nn::Linear net;
};

class Game {
 public:
  explicit Game(bool no_cuda) : player(no_cuda) {}
  Player player;
};

void plays() {
  Player player;
  player.net->forward(torch::zeros({8, 8}));  // LINT: missing-transfer
  Game game(false);
  game.player.net->forward(torch::zeros({8, 8}));  // LINT: missing-transfer
}

// One branch in the other.
torch::Device pick(bool use_cuda) {
  if (use_cuda) {
    if (torch::cuda::is_available()) return torch::kCUDA;
  }
  return torch::kCPU;
}

torch::Device pick_early(bool use_cuda) {
  if (!use_cuda) return torch::kCPU;
  return torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
}

void picks() {
  torch::nn::Linear net(8, 8);
  net->to(pick(true));
  net->forward(torch::zeros({8, 8}));  // LINT: missing-transfer
  torch::nn::Linear early(8, 8);
  early->to(pick_early(true));
  early->forward(torch::zeros({8, 8}));  // LINT: missing-transfer
}

// The initialiser of a global belongs to no function. The parts of a global are not followed.
static Detector everywhere = Detector(8, true);

void detects_everywhere() { everywhere.net->forward(torch::zeros({8, 8})); }
