// Conditions that callers settle: what stands under them may be for other calls.

#include <torch/torch.h>

class Bystander {
 public:
  explicit Bystander(int gpu) : net(4, 2), gpu(gpu) { net->to(torch::kCUDA); }

  torch::Tensor act(torch::Tensor state, bool on_device) {
    if (!on_device) return torch::zeros({1, 2});
    return net->forward(state);
  }
  // A number that stands for a flag.
  torch::Tensor draw(torch::Tensor state) {
    if (gpu < 0) return torch::zeros({1, 2});
    return net->forward(state);
  }
  torch::Tensor pick(torch::Tensor state, int device) {
    if (device >= 0) return net->forward(state);
    return torch::zeros({1, 2});
  }
  torch::Tensor choose(torch::Tensor state, int mode) {
    if (mode == 1) return net->forward(state);
    return torch::zeros({1, 2});
  }

 private:
  torch::nn::Linear net;
  int gpu;
};

void watch() {
  Bystander bystander(-1);
  auto state = torch::zeros({1, 4});
  bystander.act(state, false);
  bystander.draw(state);
  bystander.pick(state, -1);
  bystander.choose(state, 0);
}
