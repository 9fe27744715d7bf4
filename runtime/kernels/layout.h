#pragma once
// Where parameters lie one behind the other.

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace xfer::kernels {

struct Layout {
  std::vector<std::uint64_t> offsets;
  std::uint64_t bytes = 0;
};

constexpr std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  return alignment == 0 ? offset : (offset + alignment - 1) / alignment * alignment;
}

inline Layout layout_of(const std::vector<ptx::Variable>& parameters) {
  Layout layout;
  for (const ptx::Variable& parameter : parameters) {
    layout.bytes = aligned(layout.bytes, parameter.alignment);
    layout.offsets.push_back(layout.bytes);
    layout.bytes += parameter.size;
  }
  return layout;
}

}  // namespace xfer::kernels
