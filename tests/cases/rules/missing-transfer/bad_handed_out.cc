// Modules that a function hands out of a field: a move of one of them moves the field's.

#include <torch/torch.h>

// A move through a getter moves the field's module.
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
