// Threads that wait in loops: for lanes of their warp, for other warps, other blocks, the clock.

#include <gtest/gtest.h>

#include <vector>

#include "unit/emulator/translated.h"

namespace xfer::emulator::grid {
namespace {

using kernels::Thread;

/// As generated code does at the end of a loop that looks like waiting.
void turn(Thread* t) {
  if (--t->patience == 0) ask(t).yield(t);
}

struct Locked {
  volatile int lock = 0;
  volatile int inside = 0;
  int count = 0;
  int wrong = 0;
};

void with_lock(Thread* t) {
  Locked& s = *parameters_of<Locked*>(t);
  while (s.lock != 0) turn(t);
  s.lock = 1;
  if (s.inside != 0) ++s.wrong;
  s.inside = 1;
  // Others run while it holds the lock: lanes of its warp, and the whole block.
  ask(t).yield(t);
  ++s.count;
  s.inside = 0;
  s.lock = 0;
}

TEST(TranslatedWait, LanesOfAWarpTakeALockInTurn) {
  Locked state;
  EXPECT_EQ(launch(&with_lock, {.grid = 3, .block = 64}, &state), "");
  EXPECT_EQ(state.count, 192);
  EXPECT_EQ(state.wrong, 0);
}

TEST(TranslatedWait, WarpsWaitForLaterWarps) {
  volatile int flag = 0;
  const auto kernel = [](Thread* t) {
    volatile int& f = *parameters_of<volatile int*>(t);
    if (t->number < 32)
      while (f == 0) turn(t);
    if (t->number == 100) f = 1;
  };
  EXPECT_EQ(launch(kernel, {.block = 128}, &flag), "");
  EXPECT_EQ(flag, 1);
}

// The first block waits for the last one: all must be resident.
TEST(TranslatedWait, BlocksWaitForLaterBlocks) {
  struct State {
    volatile unsigned arrived = 0;
    unsigned passed = 0;
  };
  const auto kernel = [](Thread* t) {
    State& s = *parameters_of<State*>(t);
    ask(t).barrier(t, 0, 0);
    if (t->number == 0) {
      s.arrived = s.arrived + 1;
      while (s.arrived < t->block->grid_size[0]) turn(t);
      ++s.passed;
    }
    ask(t).barrier(t, 0, 0);
  };
  for (const bool cooperative : {false, true}) {
    State state;
    EXPECT_EQ(launch(kernel, {.grid = 20, .block = 64, .cooperative = cooperative}, &state), "");
    EXPECT_EQ(state.passed, 20U);
  }
}

// A warp that polls together gets further all the time, and yet waits.
TEST(TranslatedWait, WarpThatVotesInItsLoopLetsOthersStart) {
  volatile int flag = 0;
  const auto kernel = [](Thread* t) {
    volatile int& f = *parameters_of<volatile int*>(t);
    if (t->block->index[0] == 3) f = 1;
    while (ask(t).vote(t, kAllLanes, kernels::Vote::kAll, f != 0 ? 1 : 0) == 0) turn(t);
  };
  EXPECT_EQ(launch(kernel, {.grid = 4, .block = 32}, &flag), "");
  flag = 0;
  // One that meets nobody but itself.
  const auto alone = [](Thread* t) {
    volatile int& f = *parameters_of<volatile int*>(t);
    if (t->number == 7) f = 1;
    while (f == 0) ask(t).warp_barrier(t, 1U << t->number);
  };
  EXPECT_EQ(launch(alone, {.block = 32}, &flag), "");
}

// A grid that only the host can help stops for it, and another runs meanwhile.
TEST(TranslatedWait, StopsForTheHost) {
  struct State {
    volatile int flag = 0;
    volatile int came = 0;
  } waiting, other;
  other.flag = 1;
  const auto kernel = [](Thread* t) {
    State& s = **reinterpret_cast<State* const*>(t->block->parameters);
    while (s.flag == 0) turn(t);
    ask(t).barrier(t, 0, 0);
    s.came = s.came + 1;
  };
  kernels::Code code;
  code.run = kernel;
  State* const parameters[] = {&waiting, &other};
  const auto grid = [&](std::size_t which) {
    Launch launch;
    launch.code = &code;
    launch.parameters = reinterpret_cast<const std::byte*>(&parameters[which]);
    launch.grid = 2;
    launch.block = 40;
    return launch;
  };
  GridInParts first(grid(0));
  EXPECT_FALSE(first.go_on(false));
  EXPECT_FALSE(first.go_on(true));
  GridInParts second(grid(1));
  EXPECT_TRUE(second.go_on(false));
  EXPECT_EQ(other.came, 80);
  EXPECT_EQ(waiting.came, 0);
  waiting.flag = 1;
  EXPECT_TRUE(first.go_on(false));
  EXPECT_EQ(first.failure().what, "");
  EXPECT_EQ(waiting.came, 80);
  waiting.flag = 0;
  GridInParts forsaken(grid(0));
  EXPECT_FALSE(forsaken.go_on(false));
}

// More blocks than a device holds: those that wait do so for each other alone.
TEST(TranslatedWait, AsManyBlocksAsADeviceHolds) {
  EXPECT_EQ(blocks_per_multiprocessor(1024, 0), 2U);
  EXPECT_EQ(blocks_per_multiprocessor(33, 0), 32U);
  EXPECT_EQ(blocks_per_multiprocessor(128, 100 << 10), 2U);
  EXPECT_EQ(blocks_per_multiprocessor(1025, 0), 0U);
  struct State {
    volatile unsigned started = 0;
    volatile bool go = false;
    volatile unsigned most = 0;
  } state;
  const auto kernel = [](Thread* t) {
    State& s = *parameters_of<State*>(t);
    s.started = s.started + 1;
    if (s.started > s.most) s.most = s.started;
    // Until as many are here as can be, or for so long that no more will come.
    for (int turns = 0; turns < 60'000 && s.started < 300 && !s.go; ++turns) turn(t);
    s.go = true;
    s.started = s.started - 1;
  };
  const std::uint32_t most = 227 << 10;
  EXPECT_EQ(launch(kernel, {.grid = 300, .block = 1, .dynamic_shared_bytes = most}, &state), "");
  EXPECT_EQ(state.most, kMultiprocessors);
}

TEST(TranslatedWait, ClockPassesForThoseThatReadIt) {
  struct Times {
    std::uint64_t cycles;
    std::uint64_t ns;
    unsigned reads;
  } times{};
  const auto kernel = [](Thread* t) {
    Times& s = *parameters_of<Times*>(t);
    const std::uint64_t begin = ask(t).global_timer(t);
    while (ask(t).global_timer(t) - begin < 3'000'000'000) {
      ++s.reads;
      turn(t);
    }
    const std::uint64_t before = ask(t).global_timer(t);
    ask(t).sleep(t, 500'000);
    s.ns = ask(t).global_timer(t) - before;
  };
  EXPECT_EQ(launch(kernel, {}, &times), "");
  EXPECT_GT(times.reads, 100U);
  EXPECT_LT(times.reads, 10'000U);
  EXPECT_GE(times.ns, 500'000U);
}

TEST(TranslatedWait, TheOrderIsTheSameEachTime) {
  const auto kernel = [](Thread* t) {
    auto& order = *parameters_of<std::vector<std::uint32_t>*>(t);
    order.push_back(global_index(t));
    if (t->number % 3 == 0) ask(t).yield(t);
    if (t->number % 2 == 0) ask(t).warp_barrier(t, 0x55555555);
    order.push_back(global_index(t));
    ask(t).barrier(t, 0, 0);
    if (t->number % 5 == 0) ask(t).sleep(t, 10);
    order.push_back(global_index(t));
  };
  std::vector<std::uint32_t> first;
  EXPECT_EQ(launch(kernel, {.grid = 3, .block = 96}, &first), "");
  EXPECT_EQ(first.size(), 3U * 96 * 3);
  std::vector<std::uint32_t> second;
  EXPECT_EQ(launch(kernel, {.grid = 3, .block = 96}, &second), "");
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace xfer::emulator::grid
