// Modules that are class templates: a library's function makes them, for a holder or a shared
// pointer.

#include <torch/torch.h>

#include <memory>

template <typename Block>
class StackImpl : public torch::nn::Module {
 public:
  explicit StackImpl(int64_t size);
  torch::Tensor forward(torch::Tensor x);

 private:
  Block first{nullptr};
  torch::nn::Linear last{nullptr};
};

template <typename Block>
StackImpl<Block>::StackImpl(int64_t size)
    : first(Block(8, size)), last(torch::nn::Linear(size, 4)) {
  register_module("first", first);
  register_module("last", last);
}

template <typename Block>
torch::Tensor StackImpl<Block>::forward(torch::Tensor x) {
  return last->forward(torch::relu(first->forward(x)));
}

template <typename Block = torch::nn::Linear>
class Stack : public torch::nn::ModuleHolder<StackImpl<Block>> {
 public:
  using torch::nn::ModuleHolder<StackImpl<Block>>::ModuleHolder;
};

torch::Tensor not_moved() {
  Stack<torch::nn::Linear> model(16);
  auto input = torch::rand({2, 8}).to(torch::kCUDA);
  return model->forward(input);  // LINT: missing-transfer
}

torch::Tensor input_left_behind() {
  auto model = std::make_shared<StackImpl<torch::nn::Linear>>(16);
  model->to(torch::kCUDA);
  return model->forward(torch::rand({2, 8}));  // LINT: missing-transfer
}

torch::Tensor right() {
  Stack<> model(16);
  model->to(torch::kCUDA);
  return model->forward(torch::rand({2, 8}).to(torch::kCUDA));
}
