#include <bit>

#include "kernels/support.h"

namespace xfer::kernels::mbarrier {
namespace {

constexpr std::uint64_t kMost = 0xFFFFF;  // arrivals, and bytes in either direction

/// Its 64 bits, as programs cannot see. Of phases, a program may ask for the last two alone.
struct State {
  std::uint64_t phase : 3;
  std::uint64_t missing : 20;  ///< arrivals in this phase
  std::uint64_t count : 20;    ///< arrivals that a phase has
  std::int64_t bytes : 21;     ///< that this phase waits for; below 0: they came too early
};
static_assert(sizeof(State) == sizeof(std::uint64_t));

State load(const std::uint64_t* barrier) { return std::bit_cast<State>(*barrier); }

void store(std::uint64_t* barrier, State state) {
  if (state.missing == 0 && state.bytes == 0) {
    state.phase = (state.phase + 1) & 7;
    state.missing = state.count;
  }
  *barrier = std::bit_cast<std::uint64_t>(state);
}

}  // namespace

void init(std::uint64_t* barrier, std::uint32_t count) {
  const std::uint64_t most = count & kMost;
  *barrier = std::bit_cast<std::uint64_t>(State{0, most, most, 0});
}

std::uint64_t arrive(std::uint64_t* barrier, std::uint32_t count, std::uint32_t drop) {
  State state = load(barrier);
  const std::uint64_t before = *barrier;
  const std::uint64_t come = count < state.missing ? count : state.missing;
  state.missing = (state.missing - come) & kMost;
  if (drop != 0) state.count = (state.count - (come < state.count ? come : state.count)) & kMost;
  store(barrier, state);
  return before;
}

void expect(std::uint64_t* barrier, std::uint32_t bytes) {
  State state = load(barrier);
  state.bytes += static_cast<std::int64_t>(bytes & kMost);
  *barrier = std::bit_cast<std::uint64_t>(state);
}

void complete(std::uint64_t* barrier, std::uint32_t bytes) {
  State state = load(barrier);
  state.bytes -= static_cast<std::int64_t>(bytes & kMost);
  store(barrier, state);
}

std::uint32_t passed(const std::uint64_t* barrier, std::uint64_t state) {
  return load(barrier).phase != load(&state).phase ? 1 : 0;
}

std::uint32_t passed_parity(const std::uint64_t* barrier, std::uint32_t parity) {
  return (load(barrier).phase & 1) != (parity & 1) ? 1 : 0;
}

std::uint32_t pending(std::uint64_t state) {
  return static_cast<std::uint32_t>(load(&state).missing);
}

}  // namespace xfer::kernels::mbarrier
