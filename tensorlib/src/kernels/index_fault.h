// A kernel's note of an index out of range, which it leaves for the host before it stops.
#pragma once

#include <cstdint>

namespace tensorlib::kernels {

// In pinned memory, which outlives the device's failure.
struct IndexFault {
  int64_t index, size;
  int64_t at;     // which of the indices
  uint64_t call;  // which of the host's calls; 0: nothing was noted

  // Its address as a kernel's argument: inverted, so that nobody takes it for a buffer that the
  // launch works on.
  uint64_t note() const { return ~reinterpret_cast<uint64_t>(this); }
};

}  // namespace tensorlib::kernels
