#pragma once
// Kernels of one warp, as PTX.

#include <string>

namespace xfer::kernels::testing {

/// The kernel `k` with so many addresses of global memory in %p0, %p1..., the lane in %lane (%wide
/// in 64 bits), and what `declarations` adds.
std::string kernel(unsigned parameters, const std::string& declarations, const std::string& body);

/// `{%a0, %a1}`
std::string registers(const std::string& name, unsigned count);

}  // namespace xfer::kernels::testing
