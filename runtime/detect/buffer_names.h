#pragma once
// The program's names for its buffers in device memory (annotate.h's xfer_name). A name goes with
// the allocation that it was given in.
//
// Cost: O(log n). Memory: kMost names at a time; later buffers have none.

#include <cstdint>
#include <map>

#include "detect/shadow_map.h"
#include "xfer/event.h"

namespace xfer {

class BufferNames {
 public:
  /// `in`: the allocation that holds it; null: it is not followed.
  void add(const Event& named, const Allocation* in);
  /// Of the buffer around an address of the allocation; 0: it has none.
  std::uint32_t of(const Allocation& in, std::uint64_t address) const;

 private:
  static constexpr std::size_t kMost = 1 << 16;
  struct Named {
    std::uint64_t end;
    std::uint64_t allocation;
    std::uint32_t name;
  };
  std::map<std::uint64_t, Named> by_begin_;
};

}  // namespace xfer
