// L-BFGS: steps along the negative gradient times an estimate of the inverse Hessian, which the
// last gradients give (Nocedal and Wright, "Numerical Optimization", chapters 3 and 7).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tensorlib/optim.h"

namespace tensorlib::optim {

struct TENSORLIB_API LBFGSOptions : public OptimizerOptionsOf<LBFGSOptions> {
  LBFGSOptions(double lr = 1) : lr_(lr) {}
  TENSORLIB_OPTION(double, lr);
  // Of one call of step().
  TENSORLIB_OPTION(int64_t, max_iter) = 20;
  // Calls of the closure in one call of step(): max_iter * 5 / 4 where it is not said.
  TENSORLIB_OPTION(std::optional<int64_t>, max_eval) = std::nullopt;
  // step() ends where no element of the gradient is larger, and where the loss and the parameters
  // change by less.
  TENSORLIB_OPTION(double, tolerance_grad) = 1e-7;
  TENSORLIB_OPTION(double, tolerance_change) = 1e-9;
  // So many of the last steps are remembered; each is two vectors of all parameters' size.
  TENSORLIB_OPTION(int64_t, history_size) = 100;
  // "strong_wolfe": the length of each step is searched for. Otherwise it is lr.
  TENSORLIB_OPTION(std::optional<std::string>, line_search_fn) = std::nullopt;

 public:
  void visit(const Visitor& visitor) override;
};

// One group of parameters, all of one type and on one device; a parameter without a gradient counts
// as one whose gradient is 0.
//
// All vectors stay on the parameters' device. The host gets the numbers that it decides by in one
// explicit copy of up to five numbers for each call of the closure, and one more number for each
// iteration.
class TENSORLIB_API LBFGS : public Optimizer {
 public:
  explicit LBFGS(std::vector<OptimizerParamGroup> groups, LBFGSOptions defaults = {});
  explicit LBFGS(std::vector<Tensor> params, LBFGSOptions defaults = {})
      : LBFGS(std::vector<OptimizerParamGroup>{OptimizerParamGroup(std::move(params))},
              std::move(defaults)) {}

  // The closure computes the loss and the gradients, and is called several times; the loss of its
  // first call is returned.
  Tensor step(const LossClosure& closure, CallSite site = CallSite::current()) override;

 private:
  struct Search;
  std::unique_ptr<State> make_state() const override;
  void change(const Tensor& parameter, const Tensor& grad, State& state,
              const OptimizerOptions& options, CallSite site) const override;
};

}  // namespace tensorlib::optim
