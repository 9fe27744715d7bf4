#include "trainer.h"

RecordTrainer::RecordTrainer(torch::Device device) : device_(device) {
  network_ = torch::nn::Linear(3, 3);
  network_->to(device_);
  weights_ = torch::ones({3}, device);
}

torch::Tensor RecordTrainer::step() {
  auto made = torch::rand({3, 3});
  return network_->forward(made) * weights_.sum();  // LINT: missing-transfer
}
