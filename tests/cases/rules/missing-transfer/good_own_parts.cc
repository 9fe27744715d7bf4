// A container runs the team's own module, which the library knows nothing about.

#include <torch/torch.h>

struct BlockImpl : torch::nn::Module {
  explicit BlockImpl(torch::Device device) : device(device) {
    fc = register_module("fc", torch::nn::Linear(8, 8));
    fc->to(device);
  }
  torch::Tensor forward(torch::Tensor x, torch::Tensor lengths) {
    if (lengths.numel() != 0) lengths = lengths.to(x.device());
    auto y = fc->forward(x);
    return lengths.numel() != 0 ? y * lengths : y;
  }
  torch::nn::Linear fc{nullptr};
  torch::Device device;
};
TORCH_MODULE(Block);

struct EncoderImpl : torch::nn::Module {
  explicit EncoderImpl(torch::Device device) {
    for (int i = 0; i < 4; ++i) blocks->push_back(Block(device));
    register_module("blocks", blocks);
  }
  torch::Tensor forward(torch::Tensor x, torch::Tensor lengths = torch::empty(0)) {
    for (auto& block : *blocks) x = block.forward(x, lengths);
    return x;
  }
  torch::nn::Sequential blocks;
};
TORCH_MODULE(Encoder);

torch::Tensor encode(torch::Device device) {
  Encoder encoder(device);
  encoder->to(device);
  return encoder->forward(torch::rand({2, 8}).to(device), torch::empty(0));
}

// Moves its input itself.
struct ThereImpl : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) { return x.to(torch::kCUDA) * 2; }
};
TORCH_MODULE(There);

torch::Tensor moved_inside(torch::Tensor weights) {
  torch::nn::Sequential body(There{});
  auto y = body->forward(torch::rand({2, 8}));
  return torch::matmul(y, weights.to(torch::kCUDA));
}
