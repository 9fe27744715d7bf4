#include "stages.h"

void HeldHook::set(HeldStep hook) { hook_ = std::move(hook); }

torch::Tensor HeldHook::run(torch::Tensor x) const { return hook_(x); }

HeldLosses::HeldLosses() {
  table_["l1"] = [](torch::Tensor a, torch::Tensor b) {
    auto weights = torch::ones({3});
    return ((a - b) * weights).abs().mean();  // LINT: missing-transfer
  };
  table_["l2"] = [](torch::Tensor a, torch::Tensor b) { return (a - b).pow(2).mean(); };
}

torch::Tensor HeldLosses::of(const std::string& name, torch::Tensor a, torch::Tensor b) const {
  const auto loss = table_.find(name);
  return loss == table_.end() ? a : loss->second(a, b);
}

torch::Tensor held_scale(torch::Tensor x) {
  auto scale = torch::arange(3, torch::kFloat);
  return x * scale;  // LINT: missing-transfer
}
