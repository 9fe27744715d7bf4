#pragma once
// A kernel as a function of LLVM, ready to be compiled.

#include <optional>
#include <string>

#include "kernels/translate/unit.h"
#include "kernels/translation.h"

namespace xfer::kernels {

/// Returns why it cannot, if it cannot. Throws ptx::Fault.
std::optional<std::string> write_kernel(Unit& unit, const Definition& kernel, const ptx::Body& body,
                                        const std::string& name, const Purpose& purpose);

}  // namespace xfer::kernels
