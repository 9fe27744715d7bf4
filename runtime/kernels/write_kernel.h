#pragma once
// A kernel as a function of LLVM, ready to be compiled.

#include <optional>
#include <string>

#include "kernels/translate/unit.h"
#include "kernels/warp_frame.h"

namespace xfer::kernels {

/// For one thread, or for warps of blocks of a shape. What stops it, if anything does. Throws
/// ptx::Fault.
std::optional<std::string> write_kernel(Unit& unit, const Definition& kernel, const ptx::Body& body,
                                        const std::string& name, std::optional<WarpShape> shape);

}  // namespace xfer::kernels
