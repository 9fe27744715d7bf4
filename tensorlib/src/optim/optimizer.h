// What an optimizer keeps for one parameter.
#pragma once

#include "tensorlib/optim.h"

namespace tensorlib::optim {

struct Optimizer::State {
  virtual ~State() = default;
  // Moves what is kept to where the parameter now is.
  virtual void follow(const Tensor& parameter, CallSite site) = 0;
};

inline void follow(Tensor& kept, const Tensor& parameter, CallSite site) {
  if (kept.defined() && kept.device() != parameter.device()) {
    kept = kept.to(parameter.device(), kept.dtype(), false, false, site);
  }
}

}  // namespace tensorlib::optim
