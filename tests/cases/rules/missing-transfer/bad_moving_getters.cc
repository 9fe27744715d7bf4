// Getters that move the module first, and parameters that are replaced.

#include <torch/torch.h>

// A getter that moves first.
namespace a_getter_that_moves {

struct Field {
  torch::nn::Linear on(torch::Device device) {
    layer->to(device);
    return layer;
  }
  void park() { layer->to(torch::kCPU); }
  torch::Tensor run(torch::Tensor x) { return layer->forward(x); }
  torch::nn::Linear layer{8, 8};
};

torch::Tensor input() { return torch::ones({2, 8}); }
torch::Tensor moved_back_in_the_field() {
  Field field;
  auto layer = field.on(torch::kCUDA);
  field.layer->to(torch::kCPU);
  return layer->forward(input());
}

torch::Tensor moved_back_by_a_method() {
  Field field;
  auto layer = field.on(torch::kCUDA);
  field.park();
  return layer->forward(input());
}

torch::Tensor moved_back_by_the_handle() {
  Field field;
  field.on(torch::kCUDA)->to(torch::kCPU);
  return field.run(input());
}

torch::Tensor input_left_behind() {
  Field field;
  return field.on(torch::kCUDA)->forward(input());  // LINT: missing-transfer
}

torch::Tensor left_behind_by_the_method() {
  Field field;
  auto layer = field.on(torch::kCUDA);
  return field.run(input());  // LINT: missing-transfer
}

}  // namespace a_getter_that_moves

// A parameter that is replaced takes its module along.
namespace a_replaced_parameter {

torch::Tensor input() { return torch::ones({2, 8}).to(torch::kCUDA); }
torch::Tensor replaced() {
  torch::nn::Linear layer(8, 8);
  layer->weight = layer->weight.to(torch::kCUDA);
  return layer->forward(input());
}

torch::Tensor replaced_where_it_was() {
  torch::nn::Linear layer(8, 8);
  layer->weight = torch::ones({8, 8});
  return layer->forward(input());  // LINT: missing-transfer
}

}  // namespace a_replaced_parameter
