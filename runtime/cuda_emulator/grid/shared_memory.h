#pragma once
// The shared memory of a block, kept for the blocks behind it: they find what it left there.

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace xfer::emulator::grid {

class SharedMemory {
 public:
  /// At least as many bytes, in the same place as long as there are enough, and zeros where no
  /// block was. Throws std::bad_alloc.
  std::byte* reserve(std::size_t bytes);

 private:
  std::unique_ptr<std::byte, void (*)(void*)> memory_{nullptr, &std::free};
  std::size_t bytes_ = 0;
};

}  // namespace xfer::emulator::grid
