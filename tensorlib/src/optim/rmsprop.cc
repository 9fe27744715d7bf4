// RMSprop (Hinton, 2012): the step is divided by the root of the gradient's running square, less
// its running mean's where it is centered.
#include "optim/optimizer.h"
#include "tensorlib/factories.h"
#include "tensorlib/ops.h"

namespace tensorlib::optim {

namespace {

struct RMSpropState : Optimizer::State {
  void follow(const Tensor& parameter, CallSite site) override {
    for (Tensor* kept : {&square, &mean, &velocity}) optim::follow(*kept, parameter, site);
  }
  void visit(const TensorVisitor& tensor, const NumberVisitor&) override {
    tensor("square", square);
    tensor("mean", mean);
    tensor("velocity", velocity);
  }
  Tensor square, mean, velocity;  // of the gradient; the mean where centered
};

// The running average, from 0.
Tensor& average(Tensor& kept, const Tensor& value, double alpha, CallSite site) {
  if (!kept.defined()) kept = zeros_like(value, {}, site);
  return kept.mul_(alpha, site).add_(value, 1 - alpha, site);
}

}  // namespace

void RMSpropOptions::visit(const Visitor& visitor) {
  visitor("lr", lr_);
  visitor("alpha", alpha_);
  visitor("eps", eps_);
  visitor("weight_decay", weight_decay_);
  visitor("momentum", momentum_);
  visit_as_number("centered", centered_,
                  [&](const std::string& name, double& value) { visitor(name.c_str(), value); });
}

std::unique_ptr<Optimizer::State> RMSprop::make_state() const {
  return std::make_unique<RMSpropState>();
}

void RMSprop::change(const Tensor& parameter, const Tensor& grad, State& kept,
                     const OptimizerOptions& options, CallSite site) const {
  const auto& o = static_cast<const RMSpropOptions&>(options);
  auto& state = static_cast<RMSpropState&>(kept);
  const Tensor direction =
      o.weight_decay() != 0 ? grad.add(parameter, o.weight_decay(), site) : grad;
  Tensor spread = average(state.square, direction.mul(direction, site), o.alpha(), site);
  if (o.centered()) {
    const Tensor& mean = average(state.mean, direction, o.alpha(), site);
    spread = spread.sub(mean.mul(mean, site), 1, site);
  }
  Tensor step = direction.div(spread.sqrt(site).add_(o.eps(), 1, site), site);
  if (o.momentum() > 0) {
    if (!state.velocity.defined()) state.velocity = zeros_like(parameter, {}, site);
    step = state.velocity.mul_(o.momentum(), site).add_(step, 1, site);
  }
  parameter.add_(step, -o.lr(), site);
}

}  // namespace tensorlib::optim
