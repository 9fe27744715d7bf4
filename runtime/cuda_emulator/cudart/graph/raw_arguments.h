#pragma once
// A launch's arguments as the program gave them, kept for a graph.

#include <cstddef>
#include <vector>

#include "cudart/execution.h"

namespace xfer::emulator {

class RawArguments {
 public:
  /// Of a kernel that is skipped nothing is kept: nobody knows how large they are.
  RawArguments(const Execution& execution, void* const* args);
  RawArguments(const RawArguments&) = delete;
  RawArguments& operator=(const RawArguments&) = delete;

  void** pointers() const { return pointers_.empty() ? nullptr : pointers_.data(); }

 private:
  std::vector<std::vector<std::byte>> values_;
  mutable std::vector<void*> pointers_;  // CUDA's calls take them as not const
};

}  // namespace xfer::emulator
