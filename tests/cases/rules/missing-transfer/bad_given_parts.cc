// Modules that register what they are given: it may be empty, as a residual block's shortcut mostly
// is.

#include <torch/torch.h>

struct BlockImpl : torch::nn::Module {
  BlockImpl(int64_t in, int64_t out, int64_t stride = 1, torch::nn::Sequential shortcut = nullptr)
      : conv(torch::nn::Conv2dOptions(in, out, 3).stride(stride).padding(1)), shortcut(shortcut) {
    register_module("conv", conv);
    if (this->shortcut) register_module("shortcut", this->shortcut);
  }
  torch::Tensor forward(torch::Tensor x) {
    auto out = conv->forward(x);
    out += shortcut ? shortcut->forward(x) : x;
    return torch::relu(out);
  }
  torch::nn::Conv2d conv;
  torch::nn::Sequential shortcut;
};
TORCH_MODULE(Block);

struct NetworkImpl : torch::nn::Module {
  explicit NetworkImpl(int64_t blocks) : first(stack(16, 1, blocks)), second(stack(32, 2, blocks)) {
    register_module("first", first);
    register_module("second", second);
  }
  torch::Tensor forward(torch::Tensor x) { return second->forward(first->forward(x)); }

  torch::nn::Sequential stack(int64_t out, int64_t stride, int64_t blocks) {
    torch::nn::Sequential layers;
    torch::nn::Sequential shortcut{nullptr};
    if (stride != 1 || channels != out)
      shortcut =
          torch::nn::Sequential{torch::nn::Conv2d(torch::nn::Conv2dOptions(channels, out, 1)),
                                torch::nn::BatchNorm2d(out)};
    layers->push_back(Block(channels, out, stride, shortcut));
    channels = out;
    for (int64_t i = 1; i != blocks; ++i) layers->push_back(Block(out, out));
    return layers;
  }

  int64_t channels = 16;
  torch::nn::Sequential first, second;
};
TORCH_MODULE(Network);

torch::Tensor not_moved() {
  Network network(2);
  auto image = torch::rand({1, 16, 8, 8}).to(torch::kCUDA);
  return network->forward(image);  // LINT: missing-transfer
}

torch::Tensor block_not_moved() {
  Block block(16, 16);
  return block->forward(torch::rand({1, 16, 8, 8}).to(torch::kCUDA));  // LINT: missing-transfer
}

struct HeadedImpl : torch::nn::Module {
  HeadedImpl() { body = register_module("body", torch::nn::Linear(8, 8)); }
  void put(torch::nn::Linear given) { head = register_module("head", given); }
  void grow() { tail = register_module("tail", torch::nn::Linear(4, 2)); }
  torch::Tensor forward(torch::Tensor x) { return head->forward(body->forward(x)); }
  torch::nn::Linear body{nullptr}, head{nullptr}, tail{nullptr};
};
TORCH_MODULE(Headed);

torch::Tensor head_not_moved() {
  Headed model;
  model->put(torch::nn::Linear(8, 4));
  return model->forward(torch::rand({1, 8}).to(torch::kCUDA));  // LINT: missing-transfer
}

torch::Tensor grown_not_moved() {
  Headed model;
  model->put(torch::nn::Linear(8, 4));
  model->grow();
  return model->forward(torch::rand({1, 8}).to(torch::kCUDA));  // LINT: missing-transfer
}
