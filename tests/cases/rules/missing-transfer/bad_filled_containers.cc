// A helper fills the container of a network, which needs its input where the parts are.

#include <torch/torch.h>

namespace filled_containers {

void add_layer(torch::nn::Sequential& layers, int64_t from, int64_t to, bool normed) {
  layers->push_back(torch::nn::Linear(from, to));
  if (normed) layers->push_back(torch::nn::BatchNorm1d(to));
  layers->push_back(torch::nn::ReLU());
}
void add_layers(torch::nn::Sequential& layers, int64_t width) {
  add_layer(layers, width, 2 * width, true);
  add_layer(layers, 2 * width, width, false);
}

struct EncoderImpl : torch::nn::Module {
  EncoderImpl() {}
  explicit EncoderImpl(int64_t width) {
    add_layer(model, width, width, false);
    add_layer(model, width, width, true);
    register_module("model", model);
  }
  torch::Tensor forward(torch::Tensor x) { return model->forward(x); }
  torch::nn::Sequential model;
};
TORCH_MODULE(Encoder);

struct DecoderImpl : torch::nn::Module {
  explicit DecoderImpl(int64_t width) {
    add_layers(model, width);
    register_module("model", model);
  }
  torch::Tensor forward(torch::Tensor x) { return model->forward(x); }
  torch::nn::Sequential model;
};
TORCH_MODULE(Decoder);

torch::Tensor encoded() {
  Encoder net(8);
  net->to(torch::kCUDA);
  return net->forward(torch::rand({4, 8}));  // LINT: missing-transfer
}

torch::Tensor decoded(torch::Device device) {
  Decoder net(8);
  net->to(device);
  return net->forward(torch::rand({4, 8}));  // LINT: missing-transfer
}

torch::Tensor local() {
  torch::nn::Sequential layers;
  add_layers(layers, 8);
  layers->to(torch::kCUDA);
  return layers->forward(torch::rand({4, 8}));  // LINT: missing-transfer
}

}  // namespace filled_containers
