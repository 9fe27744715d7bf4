#pragma once
// The shared memory of a block, kept for the blocks behind it: they find what it left there. What
// lies around it cannot be touched: a kernel that leaves its arrays faults, and the launch fails.

#include <cstddef>
#include <memory>

namespace xfer::emulator::grid {

class SharedMemory {
 public:
  /// At least as many bytes, on whole pages, in the same place as long as there are enough, and
  /// zeros where no block was. Throws std::bad_alloc.
  std::byte* reserve(std::size_t bytes);

 private:
  /// With what lies around it.
  struct Unmap {
    std::size_t bytes;
    void operator()(std::byte* memory) const;
  };

  using Memory = std::unique_ptr<std::byte, Unmap>;

  Memory memory_{nullptr, Unmap{0}};
};

}  // namespace xfer::emulator::grid
