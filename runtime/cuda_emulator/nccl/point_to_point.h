#pragma once
// Sends and receives: all that a rank gives to one group are one piece of work, whose parts go on
// beside each other.

#include <cstdint>
#include <span>
#include <type_traits>

#include "nccl/run.h"

namespace xfer::emulated_nccl {

/// Among the arguments of a kernel, where words that look like a device's addresses become others:
/// there is no word of which a part is left as it happens to be.
struct Piece {
  std::uint64_t bytes;
  void* buffer;
  std::uint32_t peer;
  std::uint32_t is_send;  ///< 0 or 1
};
static_assert(std::has_unique_object_representations_v<Piece>);

/// The head of the kernel's argument: the pieces follow, in a storage that is large enough.
struct PiecesHeader {
  std::uint64_t communicator;  ///< its number
  std::uint64_t count;
};

/// Bytes of the one argument of the kernel for this many pieces; few sizes are used.
std::size_t storage_for(std::size_t pieces);

extern const emulator::WaitingKernel kPointToPoint;

}  // namespace xfer::emulated_nccl
