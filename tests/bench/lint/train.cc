// A training program of ordinary size, as people write them with LibTorch: what the lint benchmark
// parses.

#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <vector>

struct NetImpl : torch::nn::Module {
  explicit NetImpl(int64_t classes)
      : conv1(torch::nn::Conv2dOptions(1, 16, 5)),
        conv2(torch::nn::Conv2dOptions(16, 32, 5)),
        fc1(512, 64),
        fc2(64, classes) {
    register_module("conv1", conv1);
    register_module("conv2", conv2);
    register_module("fc1", fc1);
    register_module("fc2", fc2);
  }

  torch::Tensor forward(torch::Tensor x) {
    x = torch::max_pool2d(torch::relu(conv1->forward(x)), 2);
    x = torch::max_pool2d(torch::relu(conv2->forward(x)), 2);
    x = torch::relu(fc1->forward(x.flatten(1)));
    return torch::log_softmax(fc2->forward(x), 1);
  }

  torch::nn::Conv2d conv1, conv2;
  torch::nn::Linear fc1, fc2;
};
TORCH_MODULE(Net);

template <typename Loader>
double train_epoch(Net& net, Loader& loader, torch::optim::Optimizer& optimizer,
                   torch::Device device) {
  net->train();
  double sum = 0;
  std::size_t batches = 0;
  for (auto& batch : loader) {
    auto data = batch.data.to(device);
    auto targets = batch.target.to(device);
    optimizer.zero_grad();
    auto loss = torch::nll_loss(net->forward(data), targets);
    loss.backward();
    optimizer.step();
    if (++batches % 100 == 0) sum += loss.template item<double>();
  }
  return sum;
}

template <typename Loader>
double test(Net& net, Loader& loader, torch::Device device) {
  torch::NoGradGuard no_grad;
  net->eval();
  auto correct = torch::zeros({}, torch::TensorOptions().dtype(torch::kLong).device(device));
  int64_t total = 0;
  for (const auto& batch : loader) {
    auto data = batch.data.to(device);
    auto targets = batch.target.to(device);
    correct += net->forward(data).argmax(1).eq(targets).sum();
    total += data.size(0);
  }
  return static_cast<double>(correct.item<int64_t>()) / static_cast<double>(total);
}

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Net net(10);
  net->to(device);
  auto train_set = torch::data::datasets::MNIST("data").map(torch::data::transforms::Stack<>());
  auto loader =
      torch::data::make_data_loader<torch::data::samplers::RandomSampler>(std::move(train_set), 64);
  torch::optim::Adam optimizer(net->parameters(), torch::optim::AdamOptions(1e-3));
  for (int epoch = 1; epoch <= 10; ++epoch)
    std::cout << epoch << ' ' << train_epoch(net, *loader, optimizer, device) << '\n';
  auto test_set = torch::data::datasets::MNIST("data", torch::data::datasets::MNIST::Mode::kTest)
                      .map(torch::data::transforms::Stack<>());
  auto test_loader = torch::data::make_data_loader(std::move(test_set), 1000);
  std::cout << test(net, *test_loader, device) << '\n';
}
