#include "layers.h"

torch::Tensor ContainedScaleImpl::forward(torch::Tensor x) {
  auto scale = torch::arange(3, torch::kFloat);
  return x * scale;  // LINT: missing-transfer
}

ContainedBlockImpl::ContainedBlockImpl(int size) {
  fc = register_module("fc", torch::nn::Linear(size, size));
}

torch::Tensor ContainedBlockImpl::forward(torch::Tensor x) {
  auto mask = torch::ones({3});
  return fc(x) * mask;  // LINT: missing-transfer
}

torch::Tensor ContainedShift::forward(const torch::Tensor& x) {
  return x + torch::ones({3});  // LINT: missing-transfer
}

ContainedNetImpl::ContainedNetImpl() {
  layers->push_back(torch::nn::Linear(3, 3));
  layers->push_back("scale", ContainedScale());
  layers->push_back(ContainedBlock(3));
  layers->push_back(std::make_shared<ContainedShift>());
  register_module("layers", layers);
}

torch::Tensor ContainedNetImpl::forward(torch::Tensor x) { return layers->forward(x); }
