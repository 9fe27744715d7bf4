#pragma once
// Collective operations. A rank offers its data, reads what it needs of the others' once these have
// offered theirs, and is over when nobody will read its own any more.

#include "nccl/run.h"

namespace xfer::emulated_nccl {

/// The arguments of the kernel.
struct CollectiveArguments {
  std::uint64_t communicator;  ///< its number
  Call call;
  std::uint32_t scale[2];  ///< halves of an element: whole, it might look like an address
  const void* scale_at;    ///< null: it is the one above
  const void* send;
  void* receive;

  template <typename Visit>
  void each(Visit visit) {
    visit(communicator), visit(call), visit(scale[0]), visit(scale[1]), visit(scale_at);
    visit(send), visit(receive);
  }
};

extern const emulator::WaitingKernel kCollective;

}  // namespace xfer::emulated_nccl
