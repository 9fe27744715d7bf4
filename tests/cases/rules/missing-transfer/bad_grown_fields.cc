// A field that a branch gives another value, made of what it was before.

#include <torch/torch.h>

class Cloud {
 public:
  explicit Cloud(torch::Device device)
      : means(torch::rand({4, 3}).to(device)), scores(torch::rand({4}).to(device)) {}

  void refine(bool split) {
    torch::Tensor mask;
    if (split) {
      auto large = means.norm(2, -1) > 1;
      means = torch::cat({means.detach(), means.index({large}).repeat({2, 1})}, 0);
      mask = torch::cat({large, large}, 0);
    }
    auto faint = scores < 0.1;
    if (mask.numel()) faint |= mask;
    means = means.index({~faint}).detach();
  }

  torch::Tensor render() {
    return means + torch::ones({4, 3});  // LINT: missing-transfer
  }

 private:
  torch::Tensor means, scores;
};

int main(int argc, char**) {
  Cloud cloud(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  for (int step = 0; step < 10; ++step) cloud.refine(argc > 1);
  cloud.render();
  return 0;
}
