#include "nccl/run.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace xfer::emulated_nccl {
namespace {

constexpr std::uint64_t kPatienceNs = 100'000;
constexpr auto kBetweenLooks = std::chrono::milliseconds(50);

/// Those that have begun and are not over, of all communicators.
std::vector<Run*>& begun() {
  static auto* const runs = new std::vector<Run*>;
  return *runs;
}

}  // namespace

Run::Run(CommunicatorPtr communicator)
    : communicator_(std::move(communicator)), last_look_(std::chrono::steady_clock::now()) {
  begun().push_back(this);
}

Run::~Run() { std::erase(begun(), this); }

bool Run::go_on(bool patient) {
  if (is_over_) return true;
  const std::uint32_t seen = meeting().changes();
  advance_all();
  if (is_over_) return true;
  look_for_lost();
  const auto awaited = waits_for();
  // A rank of this process comes when the machine's lock is free.
  if (!patient || is_over_ || !awaited || meeting().is_here(*awaited)) return is_over_;
  meeting().wait(seen, kPatienceNs);
  advance_all();
  return is_over_;
}

void Run::advance_all() {
  for (bool moved = true; moved;) {
    moved = false;
    for (Run* const run : begun()) moved |= run->advance();
  }
}

bool Run::advance() {
  if (is_over_) return false;
  if (its().is_aborted() || its().error() != ncclSuccess) {
    finish();
    return true;
  }
  return step();
}

void Run::look_for_lost() {
  const auto awaited = waits_for();
  if (!awaited) return;
  const auto now = std::chrono::steady_clock::now();
  const bool slow = now - last_look_ >= kBetweenLooks;
  if (slow) last_look_ = now;
  if (!meeting().is_lost(*awaited, slow)) return;
  // It may have done its part before it went.
  advance_all();
  if (is_over_ || waits_for() != awaited) return;
  const Presence presence = meeting().member(*awaited).presence;
  its().fail(ncclRemoteError,
             fmt::format("waits for rank {}, {}; the operation ends without a result "
                         "(ncclRemoteError)",
                         *awaited,
                         presence == Presence::kAborted ? "which aborted the communicator"
                         : presence == Presence::kLeft
                             ? "which has destroyed the communicator"
                             : fmt::format("whose process {} has ended",
                                           meeting().member(*awaited).process.id)));
  finish();
}

bool Run::copy(std::uint32_t rank, std::uint64_t address, void* to, std::size_t bytes) {
  if (bytes == 0) return true;
  const int error = meeting().read(rank, address, to, bytes);
  if (error == 0) return true;
  if (error == ESRCH || meeting().is_lost(rank, true))
    its().fail(ncclRemoteError,
               fmt::format("rank {}, whose data is read, has ended; the operation ends without a "
                           "result (ncclRemoteError)",
                           rank));
  else
    its().fail(ncclSystemError,
               fmt::format("the memory of rank {}, process {}, cannot be read: {} "
                           "(ncclSystemError)",
                           rank, meeting().member(rank).process.id, std::strerror(error)));
  finish();
  return false;
}

}  // namespace xfer::emulated_nccl
