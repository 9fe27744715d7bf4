// Structured bindings and what they are made from.

#include <torch/torch.h>

#include <tuple>
#include <utility>
#include <vector>

void results_of_operations(torch::Device device) {
  auto x = torch::rand({10}, device);
  auto table = torch::rand({10});
  auto [values, indices] = x.sort();
  auto a = table + values;  // LINT: missing-transfer
  const auto& [top, where] = torch::topk(x, 3);
  auto c = table.slice(0, 0, 3) + top;  // LINT: missing-transfer
}

void results_of_modules() {
  torch::nn::GRU gru(4, 8);
  torch::nn::Linear head(8, 2);
  gru->to(torch::kCUDA);
  auto [output, state] = gru->forward(torch::rand({5, 1, 4}, torch::kCUDA));
  auto y = head(output);  // LINT: missing-transfer
}

std::tuple<torch::Tensor, torch::Tensor> make_pair() {
  return {torch::rand({4, 4}), torch::rand({4, 4}, torch::kCUDA)};
}

void results_of_functions() {
  auto [host, device] = make_pair();
  auto y = torch::mm(host, host);
  std::pair<torch::Tensor, torch::Tensor> both{torch::rand({4, 4}), torch::rand({4, 4}).cuda()};
  auto [first, second] = both;
  auto z = torch::mm(first, second);  // LINT: missing-transfer
}

void in_loops(const std::vector<std::pair<torch::Tensor, torch::Tensor>>& samples) {
  torch::nn::Linear model(4, 2);
  model->to(torch::kCUDA);
  for (int i = 0; i < 3; ++i) {
    auto [x, y] = std::make_tuple(torch::rand({1, 4}), torch::rand({1, 2}));
    auto out = model(x.cuda());
    auto loss = torch::mse_loss(out, y);  // LINT: missing-transfer
  }
}
