#pragma once
// A stack, and the thread of a block that runs on it now. The thread comes first: generated code
// hands it to the services, which find the rest from there.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "grid/meeting.h"
#include "kernels/frame.h"
#include "kernels/warp_frame.h"
#include "machine/fiber.h"

namespace xfer::emulator::grid {

class Resident;
class Runner;

/// A barrier's result for a thread: how many threads came, and how many with a true predicate.
struct Tally {
  std::uint32_t arrived = 0;
  std::uint32_t holding = 0;
};

struct Worker : kernels::Thread {
  Worker(Runner& its, std::size_t local_bytes) : runner(&its) { make_local(local_bytes); }

  unsigned warp() const { return number / kLanes; }
  unsigned lane() const { return number % kLanes; }
  std::uint32_t bit() const { return std::uint32_t{1} << lane(); }

  /// Contents are not kept.
  void make_local(std::size_t bytes) {
    if (bytes <= local_size) return;
    local_memory = std::make_unique_for_overwrite<std::byte[]>(bytes);
    local_size = bytes;
    local = local_memory.get();
  }

  Fiber fiber;
  Runner* const runner;
  Resident* home = nullptr;
  Meeting* meeting = nullptr;  ///< that it took part in last
  Tally tally;
  const void* at = nullptr;                   ///< in its code: where it asked for a service last
  unsigned turns = 0;                         ///< waits that end before others have a go
  unsigned clock_reads = 0;                   ///< since it did something else
  std::unique_ptr<std::byte[]> local_memory;  ///< as operator new aligns it: to 16
  std::size_t local_size = 0;

  /// Where its thread goes on, and how; null: it begins.
  const kernels::WarpState* state = nullptr;
  kernels::GoOn go_on = nullptr;
};
static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= 16);

}  // namespace xfer::emulator::grid
