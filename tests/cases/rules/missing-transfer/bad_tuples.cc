// Pairs, and tuples of tuples.

#include <torch/torch.h>

#include <tuple>
#include <utility>

// Members of pairs.
namespace pairs {

std::pair<torch::Tensor, torch::Tensor> read() {
  return {torch::ones({8, 8}), torch::ones({8, 8}, torch::kCUDA)};
}

std::pair<torch::Tensor, torch::Tensor> host() {
  return {torch::ones({8, 8}), torch::ones({8, 8})};
}

void run() {
  auto made = std::make_pair(torch::ones({8, 8}), torch::ones({8, 8}, torch::kCUDA));
  torch::matmul(made.first, made.second);  // LINT: missing-transfer
  torch::matmul(made.second, made.second);
  auto both = host();
  torch::matmul(both.first, made.second);  // LINT: missing-transfer
  auto mixed = read();
  torch::matmul(mixed.first, made.second);  // LINT: missing-transfer
}

}  // namespace pairs

// Tuples of tuples.
namespace tuples_of_tuples {

struct NetImpl : torch::nn::Module {
  NetImpl() : lstm(8, 8) { register_module("lstm", lstm); }
  std::tuple<torch::Tensor, std::tuple<torch::Tensor, torch::Tensor>> forward(
      torch::Tensor x, std::tuple<torch::Tensor, torch::Tensor> hx) {
    torch::Tensor output;
    std::tuple<torch::Tensor, torch::Tensor> state;
    std::tie(output, state) = lstm->forward(x, hx);
    return std::make_tuple(output, state);
  }
  torch::nn::LSTM lstm;
};
TORCH_MODULE(Net);

void run(torch::Device device) {
  Net model;
  model->to(torch::kCUDA);
  auto h = torch::zeros({1, 8}).to(torch::kCUDA);
  auto c = torch::zeros({1, 8}).to(torch::kCUDA);
  auto target = torch::ones({8, 8});
  for (int i = 0; i < 3; ++i) {
    auto data = torch::ones({8, 8}).to(torch::kCUDA);
    torch::Tensor output;
    std::forward_as_tuple(output, std::tie(h, c)) = model->forward(data, std::make_tuple(h, c));
    output + target;  // LINT: missing-transfer
    h + target;  // LINT: missing-transfer
    output + h;
  }
}

}  // namespace tuples_of_tuples
