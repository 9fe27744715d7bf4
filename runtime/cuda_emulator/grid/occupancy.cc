#include <algorithm>

#include "grid/launch.h"

namespace xfer::emulator::grid {

unsigned blocks_per_multiprocessor(std::uint32_t threads, std::uint64_t shared_bytes) {
  constexpr std::uint64_t kShared = 228 << 10;
  constexpr std::uint64_t kReserved = 1 << 10;  // the system's part of each block
  if (threads == 0 || threads > 1024) return 0;
  const unsigned warps = (threads + 31) / 32;
  const unsigned blocks = std::min(32U, 64 / warps);
  if (shared_bytes == 0) return blocks;
  return static_cast<unsigned>(
      std::min<std::uint64_t>(blocks, kShared / (shared_bytes + kReserved)));
}

}  // namespace xfer::emulator::grid
