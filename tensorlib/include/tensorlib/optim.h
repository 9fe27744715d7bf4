// Optimizers, which change parameters by their gradients: SGD, Adam, AdamW, RMSprop and Adagrad,
// with LibTorch's names and defaults; LBFGS is in lbfgs.h.
//
// An optimizer holds handles of the parameters, so a module may be moved before or after the
// optimizer is made. Its state for a parameter (momentum) is made on the parameter's device at the
// first step, and follows the parameter when that is moved.
#pragma once

#include <functional>
#include <memory>
#include <tuple>
#include <vector>

#include "tensorlib/nn/options.h"
#include "tensorlib/tensor.h"

namespace tensorlib::optim {

// The base of all optimizers' options: enough to schedule the learning rate.
class TENSORLIB_API OptimizerOptions {
 public:
  virtual ~OptimizerOptions();
  virtual std::unique_ptr<OptimizerOptions> clone() const = 0;
  virtual double get_lr() const = 0;
  virtual void set_lr(double lr) = 0;
  // Calls back with each option and its name; what is changed there is changed here.
  using Visitor = std::function<void(const char* name, double& value)>;
  virtual void visit(const Visitor& visitor) = 0;
};

template <class Derived>
class OptimizerOptionsOf : public OptimizerOptions {
 public:
  std::unique_ptr<OptimizerOptions> clone() const override {
    return std::make_unique<Derived>(static_cast<const Derived&>(*this));
  }
  double get_lr() const override { return static_cast<const Derived&>(*this).lr(); }
  void set_lr(double lr) override { static_cast<Derived&>(*this).lr(lr); }
};

struct TENSORLIB_API SGDOptions : public OptimizerOptionsOf<SGDOptions> {
  SGDOptions(double lr) : lr_(lr) {}
  TENSORLIB_OPTION(double, lr);
  TENSORLIB_OPTION(double, momentum) = 0;
  TENSORLIB_OPTION(double, dampening) = 0;
  TENSORLIB_OPTION(double, weight_decay) = 0;
  TENSORLIB_OPTION(bool, nesterov) = false;

 public:
  void visit(const Visitor& visitor) override;
};

// Adam and AdamW differ in what they do with weight_decay, and in its default.
#define TENSORLIB_ADAM_OPTIONS(Name, default_decay)             \
  struct TENSORLIB_API Name : public OptimizerOptionsOf<Name> { \
    using Betas = std::tuple<double, double>;                   \
    Name(double lr = 1e-3) : lr_(lr) {}                         \
    TENSORLIB_OPTION(double, lr);                               \
    TENSORLIB_OPTION(Betas, betas) = { 0.9, 0.999 };            \
    TENSORLIB_OPTION(double, eps) = 1e-8;                       \
    TENSORLIB_OPTION(double, weight_decay) = default_decay;     \
    TENSORLIB_OPTION(bool, amsgrad) = false;                    \
                                                                \
   public:                                                      \
    void visit(const Visitor& visitor) override;                \
  }
TENSORLIB_ADAM_OPTIONS(AdamOptions, 0);
TENSORLIB_ADAM_OPTIONS(AdamWOptions, 1e-2);
#undef TENSORLIB_ADAM_OPTIONS

struct TENSORLIB_API RMSpropOptions : public OptimizerOptionsOf<RMSpropOptions> {
  RMSpropOptions(double lr = 1e-2) : lr_(lr) {}
  TENSORLIB_OPTION(double, lr);
  TENSORLIB_OPTION(double, alpha) = 0.99;
  TENSORLIB_OPTION(double, eps) = 1e-8;
  TENSORLIB_OPTION(double, weight_decay) = 0;
  TENSORLIB_OPTION(double, momentum) = 0;
  TENSORLIB_OPTION(bool, centered) = false;

 public:
  void visit(const Visitor& visitor) override;
};

struct TENSORLIB_API AdagradOptions : public OptimizerOptionsOf<AdagradOptions> {
  AdagradOptions(double lr = 1e-2) : lr_(lr) {}
  TENSORLIB_OPTION(double, lr);
  // The rate of step n, from 0, is lr / (1 + n * lr_decay).
  TENSORLIB_OPTION(double, lr_decay) = 0;
  TENSORLIB_OPTION(double, weight_decay) = 0;
  TENSORLIB_OPTION(double, initial_accumulator_value) = 0;
  TENSORLIB_OPTION(double, eps) = 1e-10;

 public:
  void visit(const Visitor& visitor) override;
};

// Parameters that share options.
class TENSORLIB_API OptimizerParamGroup {
 public:
  OptimizerParamGroup(std::vector<Tensor> params, std::unique_ptr<OptimizerOptions> options = {})
      : params_(std::move(params)), options_(std::move(options)) {}
  OptimizerParamGroup(const OptimizerParamGroup& other)
      : params_(other.params_), options_(other.has_options() ? other.options_->clone() : nullptr) {}

  const std::vector<Tensor>& params() const { return params_; }
  std::vector<Tensor>& params() { return params_; }
  bool has_options() const { return options_ != nullptr; }
  const OptimizerOptions& options() const { return *options_; }
  OptimizerOptions& options() { return *options_; }
  void set_options(std::unique_ptr<OptimizerOptions> options) { options_ = std::move(options); }

 private:
  std::vector<Tensor> params_;
  std::unique_ptr<OptimizerOptions> options_;
};

class TENSORLIB_API Optimizer {
 public:
  using LossClosure = std::function<Tensor()>;
  struct State;  // what is kept for one parameter

  virtual ~Optimizer();
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  // Changes each parameter that has a gradient. A closure computes the loss and the gradients
  // first; its loss is returned.
  virtual Tensor step(const LossClosure& closure = {}, CallSite site = CallSite::current());
  // Drops the gradients, or makes them zeros.
  void zero_grad(bool set_to_none = true);

  // A group without options gets the optimizer's.
  void add_param_group(OptimizerParamGroup group);
  std::vector<OptimizerParamGroup>& param_groups() { return groups_; }
  const std::vector<OptimizerParamGroup>& param_groups() const { return groups_; }
  const OptimizerOptions& defaults() const { return *defaults_; }
  OptimizerOptions& defaults() { return *defaults_; }

 protected:
  Optimizer(std::vector<OptimizerParamGroup> groups, std::unique_ptr<OptimizerOptions> defaults);
  // The state of the first parameter: of an optimizer that changes all at once, its whole state.
  State& first_state();

 private:
  friend struct OptimizerAccess;
  virtual std::unique_ptr<State> make_state() const = 0;
  virtual void change(const Tensor& parameter, const Tensor& grad, State& state,
                      const OptimizerOptions& options, CallSite site) const = 0;

  std::vector<OptimizerParamGroup> groups_;
  std::unique_ptr<OptimizerOptions> defaults_;
  std::vector<std::vector<std::unique_ptr<State>>> states_;  // by group and parameter
};

#define TENSORLIB_OPTIMIZER(Name)                                                             \
 public:                                                                                      \
  explicit Name(std::vector<OptimizerParamGroup> groups, Name##Options defaults TENSORLIB_LR) \
      : Optimizer(std::move(groups), std::make_unique<Name##Options>(std::move(defaults))) {} \
  explicit Name(std::vector<Tensor> params, Name##Options defaults TENSORLIB_LR)              \
      : Name(std::vector<OptimizerParamGroup>{OptimizerParamGroup(std::move(params))},        \
             std::move(defaults)) {}                                                          \
                                                                                              \
 private:                                                                                     \
  std::unique_ptr<State> make_state() const override;                                         \
  void change(const Tensor& parameter, const Tensor& grad, State& state,                      \
              const OptimizerOptions& options, CallSite site) const override

#define TENSORLIB_LR
class TENSORLIB_API SGD : public Optimizer {
  TENSORLIB_OPTIMIZER(SGD);
};
#undef TENSORLIB_LR
#define TENSORLIB_LR = {}
class TENSORLIB_API Adam : public Optimizer {
  TENSORLIB_OPTIMIZER(Adam);
};
class TENSORLIB_API AdamW : public Optimizer {
  TENSORLIB_OPTIMIZER(AdamW);
};
class TENSORLIB_API RMSprop : public Optimizer {
  TENSORLIB_OPTIMIZER(RMSprop);
};
class TENSORLIB_API Adagrad : public Optimizer {
  TENSORLIB_OPTIMIZER(Adagrad);
};
#undef TENSORLIB_LR
#undef TENSORLIB_OPTIMIZER

}  // namespace tensorlib::optim
