// Parts of tuples, and containers of modules of one's own.

#include <torch/torch.h>

#include <tuple>

// Parts of a tuple.
void states() {
  torch::nn::LSTM lstm(8, 8);
  lstm->to(torch::kCUDA);
  auto x = torch::ones({8, 8}, torch::kCUDA);
  auto h = torch::zeros({1, 8}, torch::kCUDA);
  auto c = torch::zeros({1, 8});
  lstm->forward(x, std::make_tuple(h, c));  // LINT: missing-transfer
  lstm->forward(x, std::make_tuple(h, c.to(torch::kCUDA)));
}

// A container of one's own.
struct NetImpl : torch::nn::SequentialImpl {
  NetImpl() {
    push_back(torch::nn::Linear(8, 8));
    push_back(torch::nn::ReLU());
  }
};
TORCH_MODULE(Net);

struct PlainImpl : torch::nn::SequentialImpl {
  PlainImpl() { push_back(torch::nn::ReLU()); }
};
TORCH_MODULE(Plain);

void step(Net& net, Plain& plain, torch::Tensor x) {
  plain->forward(x);
  net->forward(x);
}

void run() {
  Net net;
  net->to(torch::kCUDA);
  Plain plain;
  plain->to(torch::kCUDA);
  auto x = torch::ones({8, 8});
  plain->forward(x);
  net->forward(x);  // LINT: missing-transfer
  step(net, plain, x);  // LINT: missing-transfer
  step(net, plain, x.to(torch::kCUDA));
}
