#pragma once
// The parameters through which a kernel may store, read from its PTX. In C a pointer that is
// only read is rarely declared const, so the type alone makes every buffer look written.
//
// Each register holds some of: an address in what a parameter points at, a value that was loaded
// from memory (which may be an address), or neither. Registers are followed without regard to
// order; sums keep what may be an address, products and shifts make none. Code that is not
// understood (calls, stores through loaded addresses, instructions of other kinds that touch
// memory) makes the kernel unknown.
//
// Cost: linear in the kernel's text for the usual kernel. Any text is taken.

#include <optional>
#include <string_view>
#include <vector>

#include "ptx/module.h"

namespace xfer {

struct KernelAccess {
  std::vector<bool> written;     ///< by parameter: a store through it is possible
  bool parameters_only = false;  ///< it touches no memory but what its parameters point at, and
                                 ///< variables that only the device can see
};

/// None where the module has no such kernel, or it is not understood.
std::optional<KernelAccess> kernel_access(const ptx::Module& module, std::string_view kernel);

/// Whether the module has such a kernel, with a body.
bool has_kernel(const ptx::Module& module, std::string_view kernel);

}  // namespace xfer
