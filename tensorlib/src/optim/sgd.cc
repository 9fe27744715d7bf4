// Stochastic gradient descent with momentum, in PyTorch's form: the learning rate is outside the
// velocity.
#include "optim/optimizer.h"

namespace tensorlib::optim {

namespace {

struct SGDState : Optimizer::State {
  void follow(const Tensor& parameter, CallSite site) override {
    optim::follow(velocity, parameter, site);
  }
  void visit(const TensorVisitor& tensor, const NumberVisitor&) override {
    tensor("velocity", velocity);
  }
  Tensor velocity;
};

}  // namespace

void SGDOptions::visit(const Visitor& visitor) {
  visitor("lr", lr_);
  visitor("momentum", momentum_);
  visitor("dampening", dampening_);
  visitor("weight_decay", weight_decay_);
  visit_as_number("nesterov", nesterov_,
                  [&](const std::string& name, double& value) { visitor(name.c_str(), value); });
}

std::unique_ptr<Optimizer::State> SGD::make_state() const { return std::make_unique<SGDState>(); }

void SGD::change(const Tensor& parameter, const Tensor& grad, State& state,
                 const OptimizerOptions& options, CallSite site) const {
  const auto& o = static_cast<const SGDOptions&>(options);
  Tensor direction = grad;
  if (o.weight_decay() != 0) direction = direction.add(parameter, o.weight_decay(), site);
  if (o.momentum() != 0) {
    Tensor& velocity = static_cast<SGDState&>(state).velocity;
    if (velocity.defined()) {
      velocity.mul_(o.momentum(), site).add_(direction, 1 - o.dampening(), site);
    } else {
      velocity = direction.clone(site);
    }
    direction = o.nesterov() ? direction.add(velocity, o.momentum(), site) : velocity;
  }
  parameter.add_(direction, -o.lr(), site);
}

}  // namespace tensorlib::optim
