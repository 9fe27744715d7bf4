#include "optim/optimizer.h"

#include "autograd/record.h"
#include "core/check.h"
#include "core/transfer.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib::optim {

OptimizerOptions::~OptimizerOptions() = default;
Optimizer::~Optimizer() = default;

Optimizer::Optimizer(std::vector<OptimizerParamGroup> groups,
                     std::unique_ptr<OptimizerOptions> defaults)
    : defaults_(std::move(defaults)) {
  for (OptimizerParamGroup& group : groups) add_param_group(std::move(group));
}

void Optimizer::add_param_group(OptimizerParamGroup group) {
  for (const Tensor& parameter : group.params()) {
    require_defined(parameter, "a parameter", "optimizer", CallSite::none());
    if (!parameter.is_leaf()) {
      throw Error(str_cat("optimizer: a parameter (", describe(parameter),
                          ") is not a leaf tensor, and its gradient stays empty\n"
                          "help: give the leaf that it was computed from; to(device) returns a "
                          "tensor that is not a leaf, so call requires_grad_() after the move"),
                  CallSite::none());
    }
  }
  if (!group.has_options()) group.set_options(defaults_->clone());
  states_.emplace_back(group.params().size());
  groups_.push_back(std::move(group));
}

namespace {

// A parameter that nobody else holds gets no gradient any more: what computed with it is gone.
void refuse_orphan(const Tensor& parameter, size_t index, CallSite site) {
  if (parameter.impl().use_count() > 1) return;
  const std::string& name = parameter.impl()->name;
  throw Error(str_cat("step: parameter ", index, name.empty() ? "" : str_cat(" (", name, ")"), ", ",
                      describe(parameter),
                      ", is held only by this optimizer: its module was replaced or "
                      "destroyed\nhelp: make the optimizer when the model is complete"),
              site);
}

}  // namespace

Tensor Optimizer::step(const LossClosure& closure, CallSite site) {
  Tensor loss;
  if (closure) {
    AutoGradMode recording(true);
    loss = closure();
  }
  NoGradGuard no_grad;
  const CauseScope cause(TransferCause::kModule);  // of what follows a moved parameter
  for (size_t g = 0; g < groups_.size(); ++g) {
    const auto& params = groups_[g].params();
    states_[g].resize(params.size());
    for (size_t i = 0; i < params.size(); ++i) {
      const Tensor grad = params[i].grad(site);
      if (!grad.defined()) {
        refuse_orphan(params[i], i, site);
        continue;
      }
      check_same_device("step", site, {{"parameter", params[i]}, {"gradient", grad}});
      auto& state = states_[g][i];
      if (state == nullptr) state = make_state();
      state->follow(params[i], site);
      change(params[i], grad, *state, groups_[g].options(), site);
    }
  }
  return loss;
}

Optimizer::State& Optimizer::first_state() {
  states_[0].resize(groups_[0].params().size());
  auto& state = states_[0][0];
  if (state == nullptr) state = make_state();
  return *state;
}

void OptimizerAccess::visit(Optimizer& optimizer, const ParameterVisitor& tensor,
                            const NumberVisitor& number) {
  for (size_t g = 0; g < optimizer.groups_.size(); ++g) {
    OptimizerParamGroup& group = optimizer.groups_[g];
    const std::string of_group = str_cat(g, ".");
    group.options().visit([&](const char* name, double& value) { number(of_group + name, value); });
    const auto& params = group.params();
    optimizer.states_[g].resize(params.size());
    for (size_t i = 0; i < params.size(); ++i) {
      const std::string of_parameter = str_cat(g, ".", i, ".");
      auto& state = optimizer.states_[g][i];
      double has_state = state != nullptr;
      number(of_parameter + "has_state", has_state);
      if (has_state == 0) {
        state = nullptr;
        continue;
      }
      if (state == nullptr) state = optimizer.make_state();
      state->visit(
          [&](const std::string& name, Tensor& value) {
            tensor(of_parameter + name, value, state->sizes_of(name, params[i]));
          },
          [&](const std::string& name, double& value) { number(of_parameter + name, value); });
    }
  }
}

void Optimizer::zero_grad(bool set_to_none) {
  for (const OptimizerParamGroup& group : groups_) drop_gradients(group.params(), set_to_none);
}

}  // namespace tensorlib::optim
