// Modules of fields of fields, and modules that only may be handed out.

#include <torch/torch.h>

struct Inner {
  torch::nn::Linear a{8, 8};
  torch::nn::Linear b{8, 8};
};

struct Outer {
  torch::nn::Linear deep() { return inner.a; }
  torch::nn::Linear either(bool first) { return first ? inner.a : inner.b; }
  torch::nn::Linear moved() {
    inner.b->to(torch::kCUDA);
    return inner.b;
  }
  Inner inner;
};

torch::Tensor input() { return torch::ones({2, 8}).to(torch::kCUDA); }
torch::Tensor field_of_a_field() {
  Outer outer;
  outer.deep()->to(torch::kCUDA);
  return outer.inner.a->forward(input());
}

torch::Tensor one_of_two(bool first) {
  Outer outer;
  outer.either(first)->to(torch::kCUDA);
  return outer.inner.a->forward(input());
}

torch::Tensor moved_by_the_getter() {
  Outer outer;
  return outer.moved()->forward(input());
}
