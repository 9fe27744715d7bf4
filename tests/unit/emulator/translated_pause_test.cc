// Threads and warps that pause for others of their block.

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "unit/emulator/translated.h"

namespace xfer::emulator::grid {
namespace {

using kernels::Thread;
using kernels::Warp;
using kernels::WarpStop;

TEST(TranslatedPause, TheOthersBeginBeforeAThreadGoesOn) {
  std::array<unsigned, 70> seen{};
  struct State {
    unsigned came = 0;
    std::array<unsigned, 70>* seen;
  } state{0, &seen};
  const auto kernel = [](Thread* t) {
    State& s = *parameters_of<State*>(t);
    ++s.came;
    ask(t).pause(t);
    (*s.seen)[t->number] = s.came;
  };
  EXPECT_EQ(launch(kernel, {.grid = 1, .block = 70}, &state), "");
  for (const unsigned count : seen) EXPECT_EQ(count, 70u);
}

/// A warp as generated code would be: what it stops for, one after the other.
struct Steps {
  void (*resume)(void*);
  Warp* warp;
  std::vector<WarpStop> stops;
  std::size_t next = 0;
  std::vector<char>* log;

  static void go_on(void* self) {
    auto& steps = *static_cast<Steps*>(self);
    steps.log->push_back(static_cast<char>('0' + steps.warp->number));
    steps.warp->barrier = steps.warp->count = 0;
    steps.warp->stop = steps.next < steps.stops.size() ? steps.stops[steps.next] : WarpStop::kEnd;
    ++steps.next;
  }
};

std::vector<Steps>* warps = nullptr;

/// In which order they went on.
std::string order_of(std::vector<std::vector<WarpStop>> stops) {
  std::vector<char> log;
  std::vector<Steps> all;
  for (auto& its : stops) all.push_back({&Steps::go_on, nullptr, std::move(its), 0, &log});
  warps = &all;
  kernels::Code code;
  Launch launch;
  launch.code = &code;
  launch.warp = [](Warp* warp) -> void* {
    Steps& steps = (*warps)[warp->number];
    steps.warp = warp;
    Steps::go_on(&steps);
    return &steps;
  };
  launch.block = static_cast<unsigned>(all.size()) * kernels::kLanes;
  EXPECT_EQ(run(launch).what, "");
  return {log.begin(), log.end()};
}

TEST(TranslatedPause, NoWarpPassesABarrierWhileAnotherPauses) {
  constexpr auto kPause = WarpStop::kPause;
  constexpr auto kBarrier = WarpStop::kBarrier;
  // The second pauses three times, and then comes to the barrier at which the first waits.
  EXPECT_EQ(order_of({{kBarrier}, {kPause, kPause, kPause, kBarrier}}), "0111101");
  EXPECT_EQ(order_of({{kPause, kBarrier}, {kPause, kPause, kBarrier}}), "0101101");
}

TEST(TranslatedPause, WarpsThatTurnGoOnBesideThoseThatPause) {
  constexpr auto kPause = WarpStop::kPause;
  constexpr auto kTurn = WarpStop::kTurn;
  EXPECT_EQ(order_of({{kTurn, kTurn}, {kPause, kPause, kPause}}), "0110101");
}

}  // namespace
}  // namespace xfer::emulator::grid
