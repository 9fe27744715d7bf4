#include "policy.h"

#include <string>

MaskedPolicyImpl::MaskedPolicyImpl() {
  for (int i = 0; i < 2; ++i)
    layers_.push_back(register_module("layer" + std::to_string(i), torch::nn::Linear(4, 4)));
  value_ = register_module("value", torch::nn::Linear(4, 1));
}

std::tuple<torch::Tensor, torch::Tensor> MaskedPolicyImpl::forward(torch::Tensor observation) {
  std::vector<torch::Tensor> parts;
  parts.push_back(observation.narrow(1, 0, 2));
  if (observation.size(1) > 2) parts.push_back(observation.narrow(1, 2, 2));
  auto x = parts.size() == 1 ? parts.front() : torch::cat(parts, 1);
  for (auto& layer : layers_) x = torch::relu(layer->forward(x));
  return {x, value_->forward(x)};
}

torch::Tensor MaskedPolicyImpl::masked(torch::Tensor scores, torch::Tensor mask) {
  return scores + (1.0 - mask) * -1e9;
}

torch::Tensor MaskedPolicyImpl::choose(torch::Tensor observation, torch::Tensor mask) {
  auto [scores, value] = forward(observation);
  return torch::softmax(masked(scores, mask), -1).multinomial(1);
}

torch::Tensor MaskedPolicyImpl::judge(torch::Tensor observation, torch::Tensor mask) {
  auto [scores, value] = forward(observation);
  return masked(scores, mask).sum() + value.sum();
}
