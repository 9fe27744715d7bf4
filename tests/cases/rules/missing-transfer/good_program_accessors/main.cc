// Methods by which others get at a field, and change it.

#include <torch/torch.h>

// Moved back through the name.
class MovedThroughName {
 public:
  explicit MovedThroughName(torch::Device device) : network_(3, 3) { network_->to(device); }
  torch::nn::Linear& network() { return network_; }
  torch::Tensor step() { return network_->forward(torch::rand({3, 3})); }

 private:
  torch::nn::Linear network_;
};

// Given another value through the name.
class SetThroughName {
 public:
  torch::Tensor& state() { return state_; }
  torch::Tensor step() { return state_ * torch::rand({3, 3}); }

 private:
  torch::Tensor state_ = torch::rand({3, 3}, torch::kCUDA);
};

// Handed to a pointer to the method, by which anybody may get at it.
class TakenByMethod {
 public:
  explicit TakenByMethod(torch::Device device) : network_(3, 3) { network_->to(device); }
  torch::nn::Linear& network() { return network_; }
  torch::Tensor step() { return network_->forward(torch::rand({3, 3})); }

 private:
  torch::nn::Linear network_;
};

// An override may return another field.
class NamedByBase {
 public:
  explicit NamedByBase(torch::Device device) : network_(3, 3) { network_->to(device); }
  virtual ~NamedByBase() = default;
  virtual torch::nn::Linear& network() { return network_; }

 private:
  torch::nn::Linear network_;
};

class NamesItsOwn : public NamedByBase {
 public:
  using NamedByBase::NamedByBase;
  torch::nn::Linear& network() override { return own_; }

 private:
  torch::nn::Linear own_{3, 3};
};

torch::Tensor ask(NamedByBase& named) {
  return named.network()->forward(torch::rand({3, 3}));
}

// A copy is not the field.
struct PlacedSettings {
  torch::Device device = torch::kCUDA;
};

class HandsOutCopies {
 public:
  std::vector<torch::Tensor> frames() const { return frames_; }
  PlacedSettings settings() const { return settings_; }

  std::vector<torch::Tensor> frames_;
  PlacedSettings settings_;
};

torch::Tensor change_copies() {
  HandsOutCopies store;
  store.frames_ = {torch::rand({3}, torch::kCUDA)};
  auto frames = store.frames();
  frames[0] = torch::rand({3});
  auto settings = store.settings();
  settings.device = torch::kCPU;
  auto there = torch::rand({3}, torch::kCUDA);
  return store.frames_[0] + there + torch::rand({3}, store.settings_.device);
}

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  MovedThroughName moved(device);
  moved.network()->to(torch::kCPU);
  moved.step();
  SetThroughName set;
  set.state() = torch::rand({3, 3});
  set.step();
  TakenByMethod taken(device);
  torch::nn::Linear& (TakenByMethod::*named)() = &TakenByMethod::network;
  (taken.*named)()->to(torch::kCPU);
  taken.step();
  NamesItsOwn own(device);
  ask(own);
  change_copies();
  return 0;
}
