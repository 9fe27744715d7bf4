#pragma once
// Reduces what several ranks bring, element by element, in the order of the ranks: all that compute
// it get the same bits. float16, bfloat16 and the floats of 8 bits are summed up as float;
// integers wrap.

#include <cstddef>
#include <cstdint>
#include <span>

#include "nccl/data_type.h"

namespace xfer::emulated_nccl {

/// The number of elements that are reduced at a time.
inline constexpr std::size_t kReducedAtOnce = 16384;

/// One rank's elements, and what they are multiplied with in a scaled sum: an element too.
struct Part {
  const void* elements;
  std::uint64_t scale;
};

/// `result` may be where one of the parts is. At most kReducedAtOnce elements.
void reduce(ncclDataType_t type, Reduction reduction, std::span<const Part> parts,
            std::size_t count, void* result);

}  // namespace xfer::emulated_nccl
