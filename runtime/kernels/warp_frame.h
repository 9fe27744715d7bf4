#pragma once
// A warp as code for all its lanes at once sees it. Plain data, as in frame.h.
//
// Such code is a function that is called once for a warp and returns when the warp waits or has
// ended; `resume` goes on with one that waits.

#include <bit>
#include <cstddef>
#include <cstdint>

#include "kernels/frame.h"

namespace xfer::kernels {

inline constexpr std::uint32_t kLanes = 32;

/// Calls each(lane) for the lanes of a mask, the lowest first.
template <typename Each>
void for_each_lane(std::uint32_t mask, Each each) {
  for (; mask != 0; mask &= mask - 1) each(static_cast<unsigned>(std::countr_zero(mask)));
}

/// The reason why a warp has stopped.
enum class WarpStop : std::uint32_t {
  kEnd,           ///< nothing is left to do
  kBarrier,       ///< bar.sync
  kBarrierCount,  ///< bar.red
  kPause,         ///< for the block's other warps to come as far
  kTurn,          ///< after many turns of a loop, for others to do what its lanes wait for
};

/// The places of a warp's lanes, written down for threads to go on from there; behind it are the
/// lanes' values, at offsets that code of both kinds has agreed on.
struct WarpState {
  static constexpr std::uint32_t kEnded = ~std::uint32_t{0};

  std::uint32_t at[kLanes];  ///< in the code; kEnded: nowhere
};

/// Goes on with a thread whose warp left.
using GoOn = void (*)(Thread*, const WarpState*);

struct Warp {
  Block* block = nullptr;
  Thread* threads = nullptr;   ///< of its lanes, kLanes of them
  std::byte* frame = nullptr;  ///< what code keeps while it waits; of malloc
  std::uint64_t frame_bytes = 0;
  std::uint32_t lanes = 0;   ///< a mask of those that there are
  std::uint32_t number = 0;  ///< in the block
  std::uint32_t index[3][kLanes] = {};
  std::uintptr_t local[kLanes] = {};  ///< Thread::local of each

  WarpStop stop = WarpStop::kEnd;
  std::uint32_t barrier = 0;  ///< its number
  std::uint32_t count = 0;    ///< of threads that it takes; 0: all
  std::uint32_t holding = 0;  ///< lanes that brought a predicate; then, of all threads
  std::uint32_t arrived = 0;  ///< lanes that came; then, threads

  // Of code whose lanes may wait for each other.
  std::uint32_t leaves = 0;    ///< 1: when it is resumed it writes down its state, and ends
  WarpState* state = nullptr;  ///< of malloc
  GoOn go_on = nullptr;        ///< what takes that state
};

/// How a block lies in its warps: code for one kind does not fit another.
enum class WarpShape : std::uint32_t {
  kRows,      ///< the lanes of a warp follow each other in x, with one y and one z
  kHalves,    ///< sixteen do, and then sixteen others
  kQuarters,  ///< eight do, and then eight others
  kOther,
};

inline WarpShape warp_shape(const std::uint32_t (&block)[3]) {
  if (block[0] % kLanes == 0 || (block[1] == 1 && block[2] == 1)) return WarpShape::kRows;
  if (block[0] % (kLanes / 2) == 0) return WarpShape::kHalves;
  return block[0] % (kLanes / 4) == 0 ? WarpShape::kQuarters : WarpShape::kOther;
}

/// Returns a handle for `resume`; null: the code never waits, and has ended.
using RunWarp = void* (*)(Warp*);

/// Goes on with a warp that waited.
inline void resume(void* handle) { (*static_cast<void (**)(void*)>(handle))(handle); }

}  // namespace xfer::kernels
