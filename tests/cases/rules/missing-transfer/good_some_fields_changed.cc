// Methods and functions that change one field, or some of them, in ways of their own: what they
// changed is where they left it, or unknown.
#include <torch/torch.h>
using torch::Tensor;

namespace some_fields {
inline Tensor gpu() { return torch::ones({2, 2}, torch::kCUDA); }
inline Tensor cpu() { return torch::ones({2, 2}); }
struct Pair {
  Tensor a, b;
};
struct Base {
  Tensor base;
};
struct Derived : Base {
  Tensor own;
  Pair pair;
  std::shared_ptr<torch::nn::LinearImpl> held;
  void own_up() { own = own.cuda(); }
  void pair_up() {
    pair.a = pair.a.cuda();
    pair.b = pair.b.cuda();
  }
  void swap_in(Tensor& t) { std::swap(own, t); }
  void ptr_up() {
    Tensor* r = &own;
    *r = r->cuda();
  }
  void replace_held() { held = std::make_shared<torch::nn::LinearImpl>(2, 2); }
  void reset() {
    *this = Derived();
    own = gpu();
  }
  void other_up(Derived& d) { d.own = d.own.cuda(); }
};
void both_parts() {
  Derived d;
  d.pair = Pair{cpu(), cpu()};
  d.pair_up();
  torch::add(d.pair.a, gpu());
  torch::add(d.pair.b, gpu());
}
void part_by_reference() {
  Derived d;
  d.pair = Pair{cpu(), cpu()};
  Pair& p = d.pair;
  d.pair_up();
  torch::add(p.a, gpu());
}
void swapped() {
  Derived d;
  d.own = cpu();
  Tensor t = gpu();
  d.swap_in(t);
  torch::add(d.own, gpu());
  torch::add(t, cpu());
}
void pointer() {
  Derived d;
  d.own = cpu();
  d.ptr_up();
  torch::add(d.own, gpu());
}
void replaced() {
  Derived d;
  d.held = std::make_shared<torch::nn::LinearImpl>(2, 2);
  auto keep = d.held;
  d.held->to(torch::kCUDA);
  d.replace_held();
  d.held->forward(cpu());
  keep->forward(gpu());
}
void assigned_whole() {
  Derived d;
  d.own = cpu();
  d.reset();
  torch::add(d.own, gpu());
}
void of_another() {
  Derived d, e;
  d.own = cpu();
  e.own = cpu();
  e.other_up(d);
  torch::add(d.own, gpu());
  torch::add(e.own, cpu());
}
void in_a_loop(int n) {
  Derived d;
  d.own = cpu();
  for (int i = 0; i < n; ++i) {
    if (i > 0) torch::add(d.own, gpu());
    d.own_up();
  }
}
void on_one_path(bool c) {
  Derived d;
  d.own = cpu();
  if (c) d.own_up();
  if (c) torch::add(d.own, gpu());
}
void shared_pointer() {
  auto d = std::make_shared<Derived>();
  d->own = cpu();
  auto e = d;
  e->own_up();
  torch::add(d->own, gpu());
}
void loop_keeps_last(int n) {
  Derived d;
  d.own = cpu();
  Tensor last = d.own;
  for (int i = 0; i < n; ++i) {
    last = d.own;
    d.own_up();
  }
  torch::add(d.own, torch::ones({2}, d.own.device()));
}
struct Outer {
  Derived d;
  Tensor t;
  void up() { d.own_up(); }
};
void nested_method() {
  Outer o;
  o.d.own = cpu();
  o.up();
  torch::add(o.d.own, gpu());
}
struct Net : torch::nn::Module {
  torch::nn::Linear fc{nullptr};
  Tensor mask, state;
  torch::Device dev = torch::kCPU;
  Net() {
    fc = register_module("fc", torch::nn::Linear(2, 2));
    mask = cpu();
    state = cpu();
  }
  void move(torch::Device d) {
    to(d);
    dev = d;
    mask = mask.to(d);
  }
  void reset_state() { state = torch::zeros({2, 2}, dev); }
  Tensor forward(Tensor x) { return fc(x) * mask + state; }
};
void net() {
  Net n;
  n.move(torch::kCUDA);
  n.reset_state();
  n.forward(gpu());
}
void net_fields() {
  Net n;
  n.move(torch::kCUDA);
  n.reset_state();
  torch::add(n.mask, gpu());
  torch::add(n.state, gpu());
  torch::add(n.fc->weight, gpu());
}
void each_by_pointer(Derived& d) {
  for (Tensor* t : {&d.own, &d.base}) *t = t->cuda();
}
struct Fields {
  Tensor a, b;
  void up() {
    for (Tensor* t : {&a, &b}) *t = t->cuda();
  }
};
void pointers() {
  Derived d;
  d.own = cpu();
  d.base = cpu();
  each_by_pointer(d);
  torch::add(d.own, gpu());
  Fields f;
  f.a = cpu();
  f.b = cpu();
  f.up();
  torch::add(f.a, gpu());
}
}  // namespace some_fields
