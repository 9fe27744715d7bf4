// The one place through which bytes cross between host and devices.
#pragma once

#include "core/check.h"
#include "tensorlib/transfer.h"

namespace tensorlib {

// Copies; ordered by the device's current stream, and done on return unless `non_blocking`. Guards
// and budgets are asked first, the ledger is told.
void cross(void* to, Device to_device, const void* from, Device from_device, size_t nbytes,
           bool non_blocking, TransferCause cause, CallSite site);

// The cause of this thread's transfers, where that is not a plain move.
class CauseScope {
 public:
  explicit CauseScope(TransferCause cause);
  ~CauseScope();
  CauseScope(const CauseScope&) = delete;
  CauseScope& operator=(const CauseScope&) = delete;
  static TransferCause current();

 private:
  TransferCause before_;
};

// Whether (defined) arguments are on different devices.
inline bool are_apart(Arguments arguments) {
  const TensorImpl* first = nullptr;
  for (const Argument& argument : arguments) {
    if (!argument.tensor.defined()) continue;
    const TensorImpl* impl = argument.tensor.impl().get();
    if (first == nullptr) first = impl;
    if (impl->storage->device != first->storage->device) return true;
  }
  return false;
}

// Operands that are apart, brought to one device: under the implicit policy; otherwise throws.
std::vector<Tensor> brought_together(const char* operation, CallSite site, Arguments arguments);

}  // namespace tensorlib
