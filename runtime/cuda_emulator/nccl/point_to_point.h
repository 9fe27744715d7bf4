#pragma once
// Sends and receives: all that a rank gives to one group are one piece of work, whose parts go on
// beside each other.

#include <cstdint>
#include <span>

#include "nccl/run.h"

namespace xfer::emulated_nccl {

struct Piece {
  std::uint64_t bytes;
  void* buffer;
  std::uint32_t peer;
  bool is_send;
};

/// What is launched for pieces, in a storage that is large enough.
struct PiecesHeader {
  std::uint64_t communicator;  ///< its number
  std::uint64_t count;
};

/// Bytes of the one argument of the kernel for this many pieces; few sizes are used.
std::size_t storage_for(std::size_t pieces);

extern const emulator::WaitingKernel kPointToPoint;

}  // namespace xfer::emulated_nccl
