// An operand on an unknown device that elsewhere in the function meets one that may be on CUDA: it
// is there, or that operation fails.

#include <torch/torch.h>

#include <tuple>

namespace agreeing {

torch::Tensor loss_of(torch::nn::Linear& net, torch::Tensor input) {
  return net->forward(input).mean();
}

torch::Tensor before(torch::Tensor x, torch::Device device) {
  auto moved = torch::mm(x, torch::ones({2, 2}).to(device));
  return torch::mm(x, torch::ones({2, 2})) +  // LINT: missing-transfer
         moved;
}

torch::Tensor after(torch::Tensor x, torch::Device device) {
  auto host = torch::mm(x, torch::ones({2, 2}));  // LINT: missing-transfer
  return torch::mm(x, torch::ones({2, 2}, device));
}

void a_module(torch::nn::Linear& net, torch::Tensor data, torch::Device device) {
  auto real = net->forward(data.to(device));
  auto noise = torch::randn({8, 16});
  auto fake = net->forward(noise);  // LINT: missing-transfer
}

torch::Tensor what_it_makes(torch::nn::Linear& net, torch::Tensor data, torch::Device device) {
  auto real = net->forward(data.to(device));
  return torch::binary_cross_entropy(real, torch::ones({8, 1}));  // LINT: missing-transfer
}

torch::Tensor by_another(torch::nn::Linear& first, torch::nn::Linear& second, torch::Tensor data) {
  auto hidden = first->forward(data.cuda());
  auto out = second->forward(hidden);
  return torch::nll_loss(out, torch::zeros({8}, torch::kLong)) +  // LINT: missing-transfer
         second->forward(data.cuda()).mean();
}

torch::Tensor in_a_helper(torch::nn::Linear& net, torch::Tensor data, torch::Device device) {
  auto out = net->forward(data.to(device));
  return out.mean() + loss_of(net, torch::randn({8, 16}));  // LINT: missing-transfer
}

torch::Tensor asks_where(torch::nn::LSTM& lstm, torch::Tensor input) {
  auto hidden = torch::zeros({1, 8, 16}).to(input.device());
  auto cell = torch::zeros({1, 8, 16});
  auto out = lstm->forward(input, std::make_tuple(hidden, cell));  // LINT: missing-transfer
  return std::get<0>(out);
}

torch::Tensor moves_one_factor(torch::Tensor input) {
  auto shift = torch::rand({1, 8, 8}).to(input.device());
  auto scale = torch::rand({1, 8, 8});
  return input * scale + shift;  // LINT: missing-transfer
}

}  // namespace agreeing
