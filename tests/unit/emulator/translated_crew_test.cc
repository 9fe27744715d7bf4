// Grids that several threads of the host run together.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "machine/fault.h"
#include "machine/grid_in_progress.h"
#include "machine/time_limit.h"
#include "unit/emulator/translated.h"

namespace xfer::emulator::grid {
namespace {

using kernels::Thread;
using kernels::Warp;

#if defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

constexpr const char* kLosesTrack = "ThreadSanitizer loses track of fibers that a signal leaves";

using Counts = std::vector<std::atomic<unsigned>>;

bool all_are_one(const Counts& counts) {
  return std::ranges::all_of(counts, [](const auto& count) { return count == 1; });
}

/// As generated code does at the end of a loop that looks like waiting.
void turn(Thread* t) {
  if (--t->patience == 0) ask(t).yield(t);
}

[[noreturn]] void run_for_ever() {
  for (volatile unsigned turns = 0;;) turns = turns + 1;
}

std::uintptr_t text(const char* what) { return reinterpret_cast<std::uintptr_t>(what); }

// No block waits as kernels do, so one party alone would never end.
void meet_in_code(Thread* t) {
  auto& arrived = *parameters_of<std::atomic<unsigned>*>(t);
  if (t->number != 0) return;
  ++arrived;
  while (arrived < t->block->grid_size[0]) {
  }
}

TEST(TranslatedCrew, BlocksRunSideBySide) {
  std::atomic<unsigned> arrived{0};
  EXPECT_EQ(launch(&meet_in_code, {.grid = 3, .block = 2, .seconds = 60, .parties = 3}, &arrived),
            "");
  EXPECT_EQ(arrived, 3u);
}

TEST(TranslatedCrew, EachThreadOfEachBlockRunsOnce) {
  const auto kernel = [](Thread* t) {
    ask(t).barrier(t, 0, 0);
    const auto& index = t->block->index;
    const unsigned block = index[0] + 10 * (index[1] + 7 * index[2]);
    ++(*parameters_of<Counts*>(t))[block * 33 + t->number];
  };
  for (const unsigned parties : {1u, 2u, 9u}) {
    Counts ran(10 * 7 * 5 * 33);
    EXPECT_EQ(launch(kernel, {.grid = dim3(10, 7, 5), .block = 33, .parties = parties}, &ran), "");
    EXPECT_TRUE(all_are_one(ran)) << parties;
  }
}

TEST(TranslatedCrew, EachWarpOfEachBlockRunsOnce) {
  Counts ran(10 * 7 * 5 * 2);
  Counts* const ran_at = &ran;
  kernels::Code code;
  Launch launch;
  launch.code = &code;
  launch.warp = [](Warp* warp) -> void* {
    const auto& index = warp->block->index;
    const unsigned block = index[0] + 10 * (index[1] + 7 * index[2]);
    ++(**reinterpret_cast<Counts* const*>(warp->block->parameters))[block * 2 + warp->number];
    return nullptr;
  };
  launch.parameters = reinterpret_cast<const std::byte*>(&ran_at);
  launch.grid = dim3(10, 7, 5);
  launch.block = 40;
  for (const unsigned parties : {1u, 2u, 7u}) {
    for (auto& count : ran) count = 0;
    launch.parties = parties;
    EXPECT_EQ(run(launch).what, "");
    EXPECT_TRUE(all_are_one(ran)) << parties;
  }
}

// As a scan by look-back does.
TEST(TranslatedCrew, BlocksWaitForEarlierAndLaterOnes) {
  struct State {
    std::atomic<unsigned> reached{0};
    std::atomic<unsigned> arrived{0};
  };
  const auto kernel = [](Thread* t) {
    State& s = *parameters_of<State*>(t);
    const unsigned block = t->block->index[0];
    if (t->number == 0) {
      while (s.reached != block) turn(t);
      ++s.reached;
      ++s.arrived;
      while (s.arrived != t->block->grid_size[0]) turn(t);
    }
    ask(t).barrier(t, 0, 0);
  };
  for (const bool cooperative : {false, true}) {
    State state;
    EXPECT_EQ(
        launch(kernel,
               {.grid = 40, .block = 64, .seconds = 60, .cooperative = cooperative, .parties = 3},
               &state),
        "");
    EXPECT_EQ(state.arrived, 40u);
  }
}

TEST(TranslatedCrew, NoMoreBlocksAreThereThanADeviceHolds) {
  struct State {
    std::atomic<unsigned> here{0}, most{0};
  } state;
  const auto kernel = [](Thread* t) {
    State& s = *parameters_of<State*>(t);
    const unsigned here = ++s.here;
    for (unsigned most = s.most; most < here && !s.most.compare_exchange_weak(most, here);) {
    }
    for (int turns = 0; turns < 5000; ++turns) turn(t);
    --s.here;
  };
  const std::uint32_t most = 227 << 10;
  EXPECT_EQ(
      launch(kernel, {.grid = 400, .block = 1, .dynamic_shared_bytes = most, .parties = 3}, &state),
      "");
  EXPECT_LE(state.most, kMultiprocessors);
  EXPECT_GT(state.most, 3u);
}

TEST(TranslatedCrew, StopsForTheHost) {
  struct State {
    std::atomic<bool> go{false};
    std::atomic<unsigned> passed{0};
  } state;
  State* const parameters = &state;
  kernels::Code code;
  code.run = [](Thread* t) {
    State& s = *parameters_of<State*>(t);
    while (!s.go) turn(t);
    ask(t).barrier(t, 0, 0);
    ++s.passed;
  };
  Launch launch;
  launch.code = &code;
  launch.parameters = reinterpret_cast<const std::byte*>(&parameters);
  launch.grid = 30;
  launch.block = 40;
  launch.parties = 3;
  GridInParts grid(launch);
  EXPECT_FALSE(grid.go_on(false));
  EXPECT_FALSE(grid.go_on(true));
  EXPECT_EQ(state.passed, 0u);
  state.go = true;
  EXPECT_TRUE(grid.go_on(false));
  EXPECT_EQ(grid.failure().what, "");
  EXPECT_EQ(state.passed, 30u * 40u);
  state.go = false;
  GridInParts forsaken(launch);
  EXPECT_FALSE(forsaken.go_on(false));
}

// Blocks that wait for another party's have something to wait for.
TEST(TranslatedCrew, DoesNotStopForTheHostWhileOneWorks) {
  std::atomic<bool> done{false};
  std::atomic<bool>* const parameters = &done;
  kernels::Code code;
  code.run = [](Thread* t) {
    auto& is_done = *parameters_of<std::atomic<bool>*>(t);
    if (t->block->index[0] != 0) {
      while (!is_done) turn(t);
      return;
    }
    usleep(300'000);  // far longer than a grid waits for the host
    is_done = true;
  };
  Launch launch;
  launch.code = &code;
  launch.parameters = reinterpret_cast<const std::byte*>(&parameters);
  launch.grid = 3;
  launch.block = 1;
  launch.parties = 3;
  GridInParts grid(launch);
  EXPECT_TRUE(grid.go_on(false));
}

TEST(TranslatedCrew, BlocksOfACooperativeLaunchRunInOneThread) {
  struct State {
    std::mutex mutex;
    std::set<std::thread::id> threads;
  } state;
  const auto kernel = [](Thread* t) {
    State& s = *parameters_of<State*>(t);
    const std::lock_guard lock(s.mutex);
    s.threads.insert(std::this_thread::get_id());
  };
  EXPECT_EQ(launch(kernel, {.grid = 300, .block = 8, .cooperative = true, .parties = 3}, &state),
            "");
  EXPECT_EQ(state.threads, std::set{std::this_thread::get_id()});
}

TEST(TranslatedCrew, OneThatFailsStopsAllOthers) {
  if (kSanitized) GTEST_SKIP() << kLosesTrack;
  install_fault_handler();
  const auto trap = [](Thread* t) {
    if (t->block->index[0] == 2) ask(t).trap(t);
    run_for_ever();
  };
  EXPECT_EQ(launch(trap, {.grid = 3, .seconds = 60, .parties = 3}, 0), kTrapped);
  const auto fault = [](Thread* t) {
    if (t->block->index[0] == 1) *reinterpret_cast<volatile int*>(std::uintptr_t{16}) = 1;
    run_for_ever();
  };
  EXPECT_EQ(launch(fault, {.grid = 3, .seconds = 60, .parties = 3}, 0),
            "kernel touched an address that the device cannot reach");
  const auto wait = [](Thread* t) {
    if (t->block->index[0] == 0) ask(t).trap(t);
    for (;;) ask(t).yield(t);
  };
  EXPECT_EQ(launch(wait, {.grid = 3, .block = 40, .seconds = 60, .parties = 3}, 0), kTrapped);
  EXPECT_EQ(grid_in_progress(), nullptr);
  std::atomic<unsigned> arrived{0};
  EXPECT_EQ(launch(&meet_in_code, {.grid = 3, .block = 2, .seconds = 60, .parties = 3}, &arrived),
            "");
}

TEST(TranslatedCrew, ManyFailuresAreReportedOnce) {
  if (kSanitized) GTEST_SKIP() << kLosesTrack;
  install_fault_handler();  // those that are slow to leave are asked by a signal
  testing::internal::CaptureStderr();
  const auto kernel = [](Thread* t) {
    ask(t).fail_assertion(t, text("x"), text("a.cu"), 17, text("void k()"));
  };
  EXPECT_EQ(launch(kernel, {.grid = 100, .block = 8, .parties = 4}, 0), kAssertionFailed);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
}

TEST(TranslatedCrew, TimeLimitHoldsForAll) {
  if (kSanitized) GTEST_SKIP() << kLosesTrack;
  install_fault_handler();
  const auto kernel = [](Thread*) { run_for_ever(); };
  EXPECT_EQ(launch(kernel, {.grid = 5, .seconds = 1, .parties = 3}, 0), kTooLong);
}

TEST(TranslatedCrew, LinesOfPrintfAreWhole) {
  testing::internal::CaptureStdout();
  const auto kernel = [](Thread* t) {
    const std::uint64_t block = t->block->index[0];
    ask(t).print(t, text("block %llu ends\n"), reinterpret_cast<std::uintptr_t>(&block));
  };
  EXPECT_EQ(launch(kernel, {.grid = 300, .parties = 4}, 0), "");
  std::istringstream said(testing::internal::GetCapturedStdout());
  std::set<std::string> lines;
  for (std::string line; std::getline(said, line);) lines.insert(line);
  std::set<std::string> wanted;
  for (int block = 0; block < 300; ++block)
    wanted.insert("block " + std::to_string(block) + " ends");
  EXPECT_EQ(lines, wanted);
}

TEST(TranslatedCrew, TheClockNeverGoesBackFromGridToGrid) {
  struct State {
    std::mutex mutex;
    std::uint64_t before = 0, latest = 0;
    bool wrong = false;
  } state;
  const auto kernel = [](Thread* t) {
    State& s = *parameters_of<State*>(t);
    for (unsigned i = 0; i < 1000 * t->block->index[0]; ++i) ask(t).clock(t);
    const std::uint64_t now = ask(t).clock(t);
    const std::lock_guard lock(s.mutex);
    s.latest = std::max(s.latest, now);
    s.wrong = s.wrong || now < s.before;
  };
  for (const unsigned parties : {4u, 1u, 3u, 1u}) {
    EXPECT_EQ(launch(kernel, {.grid = 8, .parties = parties}, &state), "");
    state.before = state.latest;
  }
  EXPECT_FALSE(state.wrong);
}

TEST(TranslatedCrew, AForkedProcessHasItsOwn) {
  if (kSanitized) GTEST_SKIP() << "ThreadSanitizer has no new threads in a forked process";
  std::atomic<unsigned> arrived{0};
  launch(&meet_in_code, {.grid = 3, .seconds = 60, .parties = 3}, &arrived);
  const pid_t child = fork();
  if (child == 0) {
    arrived = 0;
    alarm(60);
    launch(&meet_in_code, {.grid = 3, .seconds = 30, .parties = 3}, &arrived);
    _exit(arrived == 3 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace xfer::emulator::grid
