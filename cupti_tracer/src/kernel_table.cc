#include "kernel_table.h"

namespace xfer::tracer {

const Kernel& KernelTable::find(const char* mangled) {
  const std::string_view symbol = mangled != nullptr ? mangled : "";
  const std::lock_guard lock(mutex_);
  if (const auto known = kernels_.find(symbol); known != kernels_.end()) return known->second;
  Kernel kernel;
  kernel.signature = read_kernel_signature(mangled);
  kernel.name = intern_(symbol);
  kernel.skipped = mangled != nullptr && is_skipped_(mangled);
  return kernels_.emplace(symbol, std::move(kernel)).first->second;
}

}  // namespace xfer::tracer
