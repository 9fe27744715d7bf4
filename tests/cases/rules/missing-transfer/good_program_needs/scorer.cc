#include "scorer.h"

torch::Tensor GoodScorerImpl::forward(torch::Tensor x) { return layer_->forward(x); }

torch::Tensor GoodScorerImpl::mixed(torch::Tensor scores, torch::Tensor mask) {
  return scores * mask;
}

torch::Tensor GoodScorerImpl::penalised(torch::Tensor x, torch::Tensor mask) {
  return mixed(forward(x), mask);
}

PlacedScorerImpl::PlacedScorerImpl(torch::Device device)
    : layer_(register_module("layer", torch::nn::Linear(4, 4))) {
  to(device);
}

torch::Tensor PlacedScorerImpl::forward(torch::Tensor x) { return layer_->forward(x); }

torch::Tensor PlacedScorerImpl::sometimes(torch::Tensor x, torch::Tensor mask, bool greedy) {
  auto scores = forward(x);
  if (!greedy) scores = scores * mask;
  return scores;
}

torch::Tensor PlacedScorerImpl::moved(torch::Tensor x, torch::Tensor mask) {
  auto scores = forward(x);
  return scores * mask.to(scores.device());
}

torch::Tensor PlacedScorerImpl::scaled(torch::Tensor x, torch::Tensor factor) {
  return forward(x) * factor;
}

torch::Tensor PlacedScorerImpl::shaped(torch::Tensor x, torch::Tensor like) {
  return forward(x).view(like.sizes());
}
