// Modules and helpers of one's own are known by what they do.

#include <torch/torch.h>

#include <memory>

// Modules, by what their forward does.
namespace modules {

struct NetImpl : torch::nn::Module {
  NetImpl() : fc1(4, 8) {
    register_module("fc1", fc1);
    fc2 = register_module("fc2", torch::nn::Linear(8, 2));
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(fc1->forward(x));
    return fc2(x);
  }
  torch::nn::Linear fc1, fc2{nullptr};
};
TORCH_MODULE(Net);

void run() {
  Net net;
  net->to(torch::kCUDA);
  auto x = torch::randn({1, 4});
  net->forward(x);  // LINT: missing-transfer
  net(x);  // LINT: missing-transfer
  net->forward(x.cuda());
  auto shared = std::make_shared<NetImpl>();
  shared->forward(x);
  shared->to(torch::kCUDA);
  shared->forward(x);  // LINT: missing-transfer
  NetImpl value;
  value.forward(x);
  value.to(torch::kCUDA);
  value.forward(x);  // LINT: missing-transfer
}

}  // namespace modules

// Helpers, by what they do with their parameters.
namespace helpers {

torch::Tensor move_to_gpu(torch::Tensor t) { return t.to(torch::kCUDA); }
void move_in_place(torch::Tensor& t) { t = t.cuda(); }
void move_model(torch::nn::Linear model) { model->to(torch::kCUDA); }
torch::Tensor product(const torch::Tensor& a, const torch::Tensor& b) { return a.matmul(b); }
torch::Tensor maybe(const torch::Tensor& a, const torch::Tensor& b, bool use) {
  if (use) return a.matmul(b);
  return a;
}

void run() {
  torch::Tensor x = torch::ones({4, 4});
  auto y = move_to_gpu(x);
  auto a = y + y;
  auto b = x + y;  // LINT: missing-transfer
  auto c = product(x, y);  // LINT: missing-transfer
  auto d = maybe(x, y, false);
  move_in_place(x);
  auto e = x + y;
  torch::nn::Linear net(4, 4);
  move_model(net);
  net->forward(x);
  net->forward(torch::ones({4, 4}));  // LINT: missing-transfer
}

}  // namespace helpers

// A fault in all instances of a template is reported once.
namespace instances {

template <class T>
void instantiated(T x) {
  torch::Tensor b = torch::ones({4}).cuda();
  auto c = torch::ones({4}) + b;  // LINT: missing-transfer
}

void run() {
  instantiated(1);
  instantiated(2.0);
}

}  // namespace instances
