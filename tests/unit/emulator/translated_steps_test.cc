// Blocks whose warps run in step, by code written by hand: it waits as generated code does.

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "grid/launch.h"
#include "unit/emulator/translated.h"

namespace xfer::emulator::grid {
namespace {

using kernels::for_each_lane;
using kernels::Thread;
using kernels::Warp;
using kernels::WarpState;
using kernels::WarpStop;

/// Counters and settings that all blocks share.
struct Shared {
  std::atomic<unsigned> came{0};  ///< warps
  unsigned wanted = 0;            ///< that all wait for
  bool later = false;  ///< a warp comes when its last lane gets behind the first one's loop
  std::atomic<unsigned> passed{0};  ///< threads
};

Shared& shared_of(const Thread* thread) { return *parameters_of<Shared*>(thread); }

/// A warp that waits until as many have come as are wanted. It keeps nothing but where it is.
struct Waiting {
  void (*resume)(void*) = nullptr;
  Warp* warp = nullptr;
};

void end(Warp* warp) {
  for_each_lane(warp->lanes, [&](unsigned lane) { ++shared_of(&warp->threads[lane]).passed; });
  warp->stop = WarpStop::kEnd;
}

void pass(Thread* thread, const WarpState*) {
  Shared& shared = shared_of(thread);
  if (shared.later && thread->number % kernels::kLanes == 31) ++shared.came;
  while (shared.came < shared.wanted)
    if (--thread->patience == 0) ask(thread).yield(thread);
  ++shared.passed;
}

void leave(Warp* warp) {
  std::free(warp->state);
  warp->state = static_cast<WarpState*>(std::malloc(sizeof(WarpState)));
  for (unsigned lane = 0; lane < kernels::kLanes; ++lane)
    warp->state->at[lane] = (warp->lanes >> lane & 1) != 0 ? 0 : WarpState::kEnded;
  warp->go_on = &pass;
  warp->stop = WarpStop::kEnd;
}

void take_turn(void* self) {
  Warp* const warp = static_cast<Waiting*>(self)->warp;
  const Shared& shared = shared_of(&warp->threads[0]);
  if (warp->leaves != 0) return leave(warp);
  if (shared.came >= shared.wanted) return end(warp);
  warp->stop = WarpStop::kTurn;
}

/// Comes, and waits.
void* come(Warp* warp) {
  if (warp->frame == nullptr) {
    warp->frame = static_cast<std::byte*>(std::malloc(sizeof(Waiting)));
    warp->frame_bytes = sizeof(Waiting);
  }
  auto* const self = new (warp->frame) Waiting{&take_turn, warp};
  Shared& shared = shared_of(&warp->threads[0]);
  if (!shared.later) ++shared.came;
  take_turn(self);
  return self;
}

void come_as_thread(Thread* thread) {
  Shared& shared = shared_of(thread);
  if (!shared.later && thread->number % kernels::kLanes == 0) ++shared.came;
  pass(thread, nullptr);
}

struct Outcome {
  Failure failure;
  bool left_warps;
};

/// So much that a multiprocessor holds one block.
constexpr std::uint32_t kAllOfIts = 200 << 10;
constexpr unsigned kHolds = kMultiprocessors;

Outcome run_in_step(Shared* shared, unsigned blocks, unsigned threads, unsigned parties = 1) {
  kernels::Code code;
  code.run = &come_as_thread;
  code.parameter_bytes = sizeof(shared);
  Launch launch;
  launch.code = &code;
  launch.warp = &come;
  launch.parameters = reinterpret_cast<const std::byte*>(&shared);
  launch.grid = blocks;
  launch.block = threads;
  launch.dynamic_shared_bytes = kAllOfIts;
  launch.seconds = 60;
  launch.parties = parties;
  GridInParts grid(launch);
  while (!grid.go_on(true)) {
  }
  return {grid.failure(), grid.left_warps()};
}

TEST(TranslatedSteps, BlocksThatWaitForLaterOnesStayInStep) {
  for (const unsigned parties : {1U, 3U}) {
    Shared shared;
    shared.wanted = 3 * 20;
    const Outcome outcome = run_in_step(&shared, 20, 80, parties);
    EXPECT_EQ(outcome.failure.what, "");
    EXPECT_EQ(shared.passed, 20U * 80);
    EXPECT_TRUE(parties > 1 || !outcome.left_warps);
  }
}

// More than a device holds: those that are there wait for each other alone.
TEST(TranslatedSteps, AsManyBlocksAsADeviceHolds) {
  Shared shared;
  shared.wanted = kHolds;
  const Outcome outcome = run_in_step(&shared, kHolds + 5, 32);
  EXPECT_EQ(outcome.failure.what, "");
  EXPECT_FALSE(outcome.left_warps);
  EXPECT_EQ(shared.passed, (kHolds + 5) * 32);
}

// Blocks that have begun go on as threads, and the others begin so.
TEST(TranslatedSteps, WarpsWhoseLanesWaitForEachOtherLeave) {
  for (const unsigned blocks : {1U, 5U, kHolds + 5}) {
    for (const unsigned parties : {1U, 3U}) {
      Shared shared;
      shared.later = true;
      shared.wanted = 1;
      const Outcome outcome = run_in_step(&shared, blocks, 64, parties);
      EXPECT_EQ(outcome.failure.what, "");
      EXPECT_TRUE(outcome.left_warps);
      EXPECT_EQ(shared.passed, blocks * 64);
    }
  }
}

}  // namespace
}  // namespace xfer::emulator::grid
