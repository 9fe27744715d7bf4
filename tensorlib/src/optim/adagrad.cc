// Adagrad (Duchi, Hazan and Singer, 2011): each element's step is divided by the root of the sum of
// its gradient's squares.
#include "core/check.h"
#include "optim/optimizer.h"
#include "tensorlib/factories.h"
#include "tensorlib/ops.h"

namespace tensorlib::optim {

namespace {

struct AdagradState : Optimizer::State {
  void follow(const Tensor& parameter, CallSite site) override {
    optim::follow(sum, parameter, site);
  }
  void visit(const TensorVisitor& tensor, const NumberVisitor& number) override {
    tensor("sum", sum);
    visit_as_number("step", step, number);
  }
  Tensor sum;  // of the gradient's squares
  int64_t step = 0;
};

}  // namespace

void AdagradOptions::visit(const Visitor& visitor) {
  visitor("lr", lr_);
  visitor("lr_decay", lr_decay_);
  visitor("weight_decay", weight_decay_);
  visitor("initial_accumulator_value", initial_accumulator_value_);
  visitor("eps", eps_);
}

std::unique_ptr<Optimizer::State> Adagrad::make_state() const {
  return std::make_unique<AdagradState>();
}

void Adagrad::change(const Tensor& parameter, const Tensor& grad, State& kept,
                     const OptimizerOptions& options, CallSite site) const {
  const auto& o = static_cast<const AdagradOptions&>(options);
  auto& state = static_cast<AdagradState&>(kept);
  const Tensor direction =
      o.weight_decay() != 0 ? grad.add(parameter, o.weight_decay(), site) : grad;
  if (!state.sum.defined()) {
    state.sum = full_like(parameter.detach(), o.initial_accumulator_value(), {}, site);
  }
  state.sum.add_(direction.mul(direction, site), 1, site);
  const double rate = o.lr() / (1 + static_cast<double>(state.step++) * o.lr_decay());
  parameter.add_(direction.div(state.sum.sqrt(site).add_(o.eps(), 1, site), site), -rate, site);
}

}  // namespace tensorlib::optim
