#include "tensorlib/lr_scheduler.h"

namespace tensorlib::optim {

LRScheduler::~LRScheduler() = default;

void LRScheduler::step() {
  const std::vector<double> rates = get_lrs();
  auto& groups = optimizer_.param_groups();
  for (size_t g = 0; g < groups.size() && g < rates.size(); ++g) {
    groups[g].options().set_lr(rates[g]);
  }
  ++step_count_;
}

std::vector<double> LRScheduler::get_current_lrs() const {
  std::vector<double> rates;
  for (const OptimizerParamGroup& group : optimizer_.param_groups()) {
    rates.push_back(group.options().get_lr());
  }
  return rates;
}

// As LibTorch counts: the first call changes nothing.
std::vector<double> StepLR::get_lrs() {
  std::vector<double> rates = get_current_lrs();
  if (step_count_ == 0 || step_size_ == 0 || step_count_ % step_size_ != 0) return rates;
  for (double& rate : rates) rate *= gamma_;
  return rates;
}

}  // namespace tensorlib::optim
