// Variables that are changed by other names, and what stays where it was.

#include <torch/torch.h>

// A reference that may be one of two.
namespace one_of_two {

torch::Tensor chosen(bool first) {
  auto a = torch::ones({8}), b = torch::ones({8});
  torch::Tensor& moved = first ? a : b;
  moved = moved.to(torch::kCUDA);
  return (first ? a : b) + torch::ones({8}, torch::kCUDA);
}

torch::Tensor known() {
  auto a = torch::ones({8}), b = torch::ones({8});
  torch::Tensor& moved = a;
  moved = moved.to(torch::kCUDA);
  return a + b;  // LINT: missing-transfer
}

}  // namespace one_of_two

// Data given to parameters.
namespace data_of_parameters {

struct NetImpl : torch::nn::Module {
  NetImpl() : fc(8, 8) { register_module("fc", fc); }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }
  void to_gpu() {
    for (auto& p : parameters()) p.set_data(p.to(torch::kCUDA));
  }
  torch::nn::Linear fc;
};
TORCH_MODULE(Net);

torch::Tensor outside() {
  Net net;
  for (auto& p : net->parameters()) p.set_data(p.to(torch::kCUDA));
  return net->forward(torch::ones({8, 8}, torch::kCUDA));
}

torch::Tensor by_method() {
  Net net;
  net->to_gpu();
  return net->forward(torch::ones({8, 8}, torch::kCUDA));
}

torch::Tensor moved_but_not_the_input() {
  Net net;
  net->to(torch::kCUDA);
  return net->forward(torch::ones({8, 8}));  // LINT: missing-transfer
}

}  // namespace data_of_parameters

// Tensors that a pack of references moves, beside a module that nobody does.
namespace packs {

template <class... T>
void move_all(torch::Device d, T&... x) {
  ((x = x.to(d)), ...);
}

torch::Tensor run() {
  torch::nn::Sequential net;
  net->push_back(torch::nn::Linear(8, 8));
  torch::Tensor a = torch::ones({8}), b = torch::ones({8});
  move_all(torch::kCUDA, a, b);
  auto y = net->forward(torch::ones({8}, torch::kCUDA));  // LINT: missing-transfer
  return a + b + torch::ones({8}, torch::kCUDA);
}

}  // namespace packs
