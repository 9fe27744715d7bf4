#pragma once
// The product of matrices for a warp at once is compiled for several processors.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xfer::kernels::matrix::together {

/// As multiply() of matrix.h.
using Multiply = void (*)(std::uint64_t product, std::uint32_t how, std::byte* registers);

/// Those that this processor can run, the fastest first. All give the same bits.
const std::vector<Multiply>& multiplies();

}  // namespace xfer::kernels::matrix::together
