// Adam (Kingma and Ba, 2015) and AdamW (Loshchilov and Hutter, 2019), which shrinks the weights by
// themselves and not through the gradient.
#include "backend/cpu/adam.h"

#include <cmath>

#include "core/tensor_impl.h"
#include "optim/optimizer.h"
#include "tensorlib/factories.h"
#include "tensorlib/ops.h"

namespace tensorlib::optim {

namespace {

struct AdamState : Optimizer::State {
  void follow(const Tensor& parameter, CallSite site) override {
    for (Tensor* kept : {&mean, &square, &largest}) optim::follow(*kept, parameter, site);
  }
  void visit(const TensorVisitor& tensor, const NumberVisitor& number) override {
    visit_as_number("steps", steps, number);
    tensor("mean", mean);
    tensor("square", square);
    tensor("largest", largest);
  }
  int64_t steps = 0;
  Tensor mean, square, largest;  // of the gradient; the largest square is amsgrad's
};

// By one pass over the memory, where all of it is the host's, in order and of one type.
bool step_on_host(const Tensor& parameter, const Tensor& grad, const AdamState& state,
                  const cpu::AdamNumbers& numbers) {
  const ScalarType type = parameter.dtype();
  if (type != kFloat && type != kDouble) return false;
  for (const Tensor* x : {&parameter, &grad, &state.mean, &state.square, &state.largest}) {
    if (!x->defined()) continue;
    if (!x->is_cpu() || x->dtype() != type || !x->is_contiguous() ||
        x->numel() != parameter.numel()) {
      return false;
    }
  }
  const auto step = [&](auto element) {
    using T = decltype(element);
    const auto written = [](const Tensor& x) {
      return x.defined() ? static_cast<T*>(x.impl()->writable()) : nullptr;
    };
    cpu::adam_step(written(parameter), static_cast<const T*>(grad.impl()->data()),
                   written(state.mean), written(state.square), written(state.largest),
                   parameter.numel(), numbers);
  };
  type == kFloat ? step(float()) : step(double());
  return true;
}

template <class Options>
void adam_step(const Tensor& parameter, const Tensor& grad, Optimizer::State& kept,
               const Options& o, CallSite site) {
  auto& state = static_cast<AdamState&>(kept);
  if (state.steps == 0) {
    state.mean = zeros_like(parameter, {}, site);
    state.square = zeros_like(parameter, {}, site);
    if (o.amsgrad()) state.largest = zeros_like(parameter, {}, site);
  }
  const auto [beta1, beta2] = o.betas();
  ++state.steps;
  const double steps = static_cast<double>(state.steps);
  const double correction1 = 1 - std::pow(beta1, steps);
  const double correction2 = std::sqrt(1 - std::pow(beta2, steps));
  if (step_on_host(parameter, grad, state,
                   {beta1, beta2, correction2, o.eps(), o.lr() / correction1})) {
    return;
  }
  state.mean.mul_(beta1, site).add_(grad, 1 - beta1, site);
  state.square.mul_(beta2, site).add_(grad.mul(grad, site), 1 - beta2, site);
  if (o.amsgrad()) state.largest = maximum(state.largest, state.square, site);
  const Tensor scale = (o.amsgrad() ? state.largest : state.square)
                           .sqrt(site)
                           .mul_(1 / correction2, site)
                           .add_(o.eps(), 1, site);
  parameter.add_(state.mean.div(scale, site), -o.lr() / correction1, site);
}

}  // namespace

#define TENSORLIB_VISIT(Options)                                                       \
  void Options::visit(const Visitor& visitor) {                                        \
    visitor("lr", lr_);                                                                \
    visitor("beta1", std::get<0>(betas_));                                             \
    visitor("beta2", std::get<1>(betas_));                                             \
    visitor("eps", eps_);                                                              \
    visitor("weight_decay", weight_decay_);                                            \
    visit_as_number("amsgrad", amsgrad_, [&](const std::string& name, double& value) { \
      visitor(name.c_str(), value);                                                    \
    });                                                                                \
  }
TENSORLIB_VISIT(AdamOptions)
TENSORLIB_VISIT(AdamWOptions)
#undef TENSORLIB_VISIT

std::unique_ptr<Optimizer::State> Adam::make_state() const { return std::make_unique<AdamState>(); }

void Adam::change(const Tensor& parameter, const Tensor& grad, State& state,
                  const OptimizerOptions& options, CallSite site) const {
  const auto& o = static_cast<const AdamOptions&>(options);
  const bool decays = o.weight_decay() != 0;
  adam_step(parameter, decays ? grad.add(parameter, o.weight_decay(), site) : grad, state, o, site);
}

std::unique_ptr<Optimizer::State> AdamW::make_state() const {
  return std::make_unique<AdamState>();
}

void AdamW::change(const Tensor& parameter, const Tensor& grad, State& state,
                   const OptimizerOptions& options, CallSite site) const {
  const auto& o = static_cast<const AdamWOptions&>(options);
  if (o.weight_decay() != 0) parameter.mul_(1 - o.lr() * o.weight_decay(), site);
  adam_step(parameter, grad, state, o, site);
}

}  // namespace tensorlib::optim
