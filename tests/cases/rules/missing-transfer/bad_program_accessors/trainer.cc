#include "trainer.h"

NamedFieldsTrainer::NamedFieldsTrainer(torch::Device device) : device_(device) {
  network_ = torch::nn::Linear(3, 3);
  network_->to(device_);
  head_ = std::make_shared<torch::nn::LinearImpl>(3, 3);
  head_->to(device_);
}

torch::Tensor NamedFieldsTrainer::step() {
  auto made = torch::rand({3, 3});
  return network_->forward(made);  // LINT: missing-transfer
}
