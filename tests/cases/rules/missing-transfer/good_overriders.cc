// Without the program's start any class may derive from one that a header shows.

#include <torch/torch.h>

struct Reading {
  virtual ~Reading() = default;
  virtual void apply(const torch::Tensor& in, torch::Tensor& out) = 0;
};

struct Cloning : Reading {
  void apply(const torch::Tensor& in, torch::Tensor& out) override { out = in.clone(); }
};

void use(Reading& reading, torch::nn::Linear net) {
  net->to(torch::kCUDA);
  torch::Tensor image;
  reading.apply(torch::ones({8}), image);
  net->forward(image);
}
