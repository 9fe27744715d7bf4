// An optimizer's state for one parameter, and a walk through all of it.
#pragma once

#include <functional>
#include <string>

#include "tensorlib/optim.h"

namespace tensorlib::optim {

using TensorVisitor = std::function<void(const std::string& name, Tensor& value)>;
using NumberVisitor = std::function<void(const std::string& name, double& value)>;

struct Optimizer::State {
  virtual ~State() = default;
  // Moves what is kept to where the parameter now is.
  virtual void follow(const Tensor& parameter, CallSite site) = 0;
  virtual void visit(const TensorVisitor& tensor, const NumberVisitor& number) = 0;
  // The shape of what is kept under a name.
  virtual std::vector<int64_t> sizes_of(const std::string&, const Tensor& parameter) const {
    return parameter.sizes().vec();
  }
};

inline void follow(Tensor& kept, const Tensor& parameter, CallSite site) {
  if (kept.defined() && kept.device() != parameter.device()) {
    kept = kept.to(parameter.device(), kept.dtype(), false, false, site);
  }
}

// For saving and loading: each option and each value that is kept, under the names "0.lr" (of group
// 0) and "0.3.velocity" (of its parameter 3). Changes by the visitors take effect.
struct OptimizerAccess {
  using ParameterVisitor =
      std::function<void(const std::string& name, Tensor& value, IntArrayRef sizes)>;
  static void visit(Optimizer& optimizer, const ParameterVisitor& tensor,
                    const NumberVisitor& number);
};

// A flag or a count as the number that it is saved as.
template <class T>
void visit_as_number(const char* name, T& value, const NumberVisitor& number) {
  auto as_number = static_cast<double>(value);
  number(name, as_number);
  value = static_cast<T>(as_number);
}

}  // namespace tensorlib::optim
