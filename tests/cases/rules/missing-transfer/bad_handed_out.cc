// Modules that a function hands out of a field: whoever moves one of them moves the field's.

#include <torch/torch.h>

// What is moved through a getter is the field's module.
namespace through_a_getter {

struct Field {
  Field(int w) : width(w) {}
  torch::nn::Linear get() const { return layer; }
  torch::nn::Linear& reference() { return layer; }
  torch::Tensor run(torch::Tensor x) { return layer->forward(x); }
  int width;
  torch::nn::Linear layer{8, 8};
};
torch::Tensor input() { return torch::ones({2, 8}).to(torch::kCUDA); }
torch::Tensor by_getter() {
  auto field = Field(3);
  field.get()->to(torch::kCUDA);
  return field.get()->forward(input());
}
torch::Tensor by_variable() {
  auto field = Field(3);
  auto layer = field.get();
  layer->to(torch::kCUDA);
  return field.run(input());
}
torch::Tensor by_reference() {
  auto field = Field(3);
  field.reference()->to(torch::kCUDA);
  return field.run(input());
}
torch::Tensor input_left_behind() {
  auto field = Field(3);
  field.get()->to(torch::kCUDA);
  return field.run(torch::ones({2, 8}));  // LINT: missing-transfer
}
torch::Tensor module_left_behind() {
  auto field = Field(3);
  return field.get()->forward(input());  // LINT: missing-transfer
}

}  // namespace through_a_getter

// A registered module goes with the whole and alone.
namespace registered {

struct Net : torch::nn::Module {
  Net() { head_ = register_module("head", torch::nn::Linear(8, 8)); }
  torch::nn::Linear head() { return head_; }
  torch::Tensor forward(torch::Tensor x) { return head_->forward(x); }
  torch::nn::Linear head_{nullptr};
};
torch::Tensor input() { return torch::ones({2, 8}).to(torch::kCUDA); }
torch::Tensor head_alone() {
  Net net;
  net.head()->to(torch::kCUDA);
  return net.forward(input());
}
torch::Tensor whole_before() {
  Net net;
  net.to(torch::kCUDA);
  return net.head()->forward(input());
}
torch::Tensor whole_after() {
  Net net;
  auto head = net.head();
  net.to(torch::kCUDA);
  return head->forward(input());
}
torch::Tensor input_left_behind() {
  Net net;
  auto head = net.head();
  net.to(torch::kCUDA);
  return head->forward(torch::ones({2, 8}));  // LINT: missing-transfer
}

}  // namespace registered

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
