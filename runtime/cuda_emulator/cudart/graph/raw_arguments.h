#pragma once
// A launch's arguments as the program gave them, kept for a graph.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cudart/execution.h"

namespace xfer::emulator {

class RawArguments {
 public:
  /// Of a kernel that is skipped nothing is kept: nobody knows how large they are.
  RawArguments(const Execution& execution, void* const* args);
  RawArguments(const RawArguments&) = delete;
  RawArguments& operator=(const RawArguments&) = delete;

  /// Calls use(word) with each that may be a pointer.
  template <class Use>
  void for_words(Use use) const {
    for (const std::vector<std::byte>& value : values_)
      for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= value.size();
           at += sizeof(std::uintptr_t)) {
        std::uintptr_t word = 0;
        std::memcpy(&word, value.data() + at, sizeof(word));
        use(word);
      }
  }
  void** pointers() const { return pointers_.empty() ? nullptr : pointers_.data(); }

 private:
  std::vector<std::vector<std::byte>> values_;
  mutable std::vector<void*> pointers_;  // CUDA's calls take them as not const
};

}  // namespace xfer::emulator
