// Switches the recording of this thread's operations, for gradients: see Tensor::backward().
#pragma once

#include "tensorlib/macros.h"

namespace tensorlib {

class TENSORLIB_API GradMode {
 public:
  static bool is_enabled();
  static void set_enabled(bool on);
};

// Sets the mode for a scope.
class TENSORLIB_API AutoGradMode {
 public:
  explicit AutoGradMode(bool on) : before_(GradMode::is_enabled()) { GradMode::set_enabled(on); }
  ~AutoGradMode() { GradMode::set_enabled(before_); }
  AutoGradMode(const AutoGradMode&) = delete;
  AutoGradMode& operator=(const AutoGradMode&) = delete;

 private:
  bool before_;
};

// `NoGradGuard no_grad;`: nothing is recorded until the end of the scope.
class TENSORLIB_API NoGradGuard : public AutoGradMode {
 public:
  NoGradGuard() : AutoGradMode(false) {}
};
using InferenceMode = NoGradGuard;

}  // namespace tensorlib
