// Look-alikes of bad_filled_containers: nothing in the container needs its input there, or perhaps.

#include <torch/torch.h>

namespace good_filled_containers {

void add_shape(torch::nn::Sequential& layers) {
  layers->push_back(torch::nn::Flatten());
  layers->push_back(torch::nn::ReLU());
}
torch::Tensor shaped() {
  torch::nn::Sequential layers;
  add_shape(layers);
  layers->to(torch::kCUDA);
  return layers->forward(torch::rand({4, 8}));
}

// A layer of its own, which may move its input.
struct MovingImpl : torch::nn::Module {
  MovingImpl() : weight(register_module("weight", torch::nn::Linear(8, 8))) {}
  torch::Tensor forward(torch::Tensor x) {
    return weight->forward(x.to(weight->weight.device()));
  }
  torch::nn::Linear weight;
};
TORCH_MODULE(Moving);
void add_moving(torch::nn::Sequential& layers) { layers->push_back(Moving()); }
torch::Tensor moving() {
  torch::nn::Sequential layers;
  add_moving(layers);
  layers->to(torch::kCUDA);
  return layers->forward(torch::rand({4, 8}));
}

void add_linear(torch::nn::Sequential& layers) { layers->push_back(torch::nn::Linear(8, 8)); }
torch::Tensor there() {
  torch::nn::Sequential layers;
  add_linear(layers);
  layers->to(torch::kCUDA);
  return layers->forward(torch::rand({4, 8}, torch::kCUDA));
}
torch::Tensor here() {
  torch::nn::Sequential layers;
  add_linear(layers);
  return layers->forward(torch::rand({4, 8}));
}

}  // namespace good_filled_containers
