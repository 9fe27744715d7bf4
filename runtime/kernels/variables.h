#pragma once
// The variables that a module brings onto a device.

#include <vector>

#include "kernels/kernels.h"
#include "ptx/module.h"

namespace xfer::kernels {

std::vector<ModuleVariable> variables_of(const ptx::Module& module);

/// The number that stands for a function's address; 0: there is none of that name.
std::uint64_t number_of_function(const ptx::Module& module, std::string_view name);

}  // namespace xfer::kernels
