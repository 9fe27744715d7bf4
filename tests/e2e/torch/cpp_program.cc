// A program of LibTorch: prints what a small net learns, on the device that is named.
//
//   torch_cpp_program cpu|cuda

#include <torch/torch.h>

#include <cstdio>
#include <vector>

namespace {

struct Net : torch::nn::Module {
  torch::nn::Conv2d convolution{nullptr};
  torch::nn::BatchNorm2d norm{nullptr};
  torch::nn::LSTM recurrent{nullptr};
  torch::nn::Linear last{nullptr};

  Net() {
    convolution = register_module("convolution", torch::nn::Conv2d(1, 4, 3));
    norm = register_module("norm", torch::nn::BatchNorm2d(4));
    recurrent = register_module("recurrent", torch::nn::LSTM(24, 8));
    last = register_module("last", torch::nn::Linear(8, 5));
  }
  torch::Tensor forward(const torch::Tensor& images) {
    torch::Tensor seen = torch::relu(norm(convolution(images)));
    seen = seen.permute({2, 0, 1, 3}).flatten(2);
    const torch::Tensor heard = std::get<0>(recurrent(seen));
    return last(torch::dropout(heard[-1], 0.25, is_training()));
  }
};

}  // namespace

int main(int, char** argv) {
  torch::manual_seed(1);
  const torch::Device device(argv[1]);
  const torch::Tensor images = torch::randn({16, 1, 8, 8}).to(device);
  const torch::Tensor labels = torch::randint(5, {16}).to(device);
  Net net;
  net.to(device);
  torch::optim::Adam optimizer(net.parameters(), 0.01);
  std::vector<torch::Tensor> losses;
  for (int step = 0; step < 5; ++step) {
    optimizer.zero_grad();
    const torch::Tensor loss = torch::nn::functional::cross_entropy(net.forward(images), labels);
    loss.backward();
    optimizer.step();
    losses.push_back(loss.detach());
  }
  net.eval();
  const torch::NoGradGuard no_gradients;
  const torch::Tensor chosen = net.forward(images).argmax(1);
  losses.push_back(chosen.eq(labels).to(torch::kFloat).mean());
  losses.push_back(images.masked_select(images > 1).sum());
  const torch::Tensor shown = torch::stack(losses).cpu();
  for (int i = 0; i < shown.size(0); ++i) std::printf("%.4g\n", shown[i].item<double>());
}
