#include "grid/lane_services.h"

#include "grid/common_services.h"
#include "grid/grid_run.h"

namespace xfer::emulator::grid {
namespace {

using kernels::Thread;

/// No other lane can go on meanwhile: only time passes.
void pass_time(Thread*, std::uint32_t ns) {
  const OutOfCode run;
  run->clock().spend(ns);
}

std::uint64_t clock_of_lane(Thread*) {
  const OutOfCode run;
  return run->clock().read(0);
}

std::uint64_t timer_of_lane(Thread* thread) { return clock_of_lane(thread) / Clock::kCyclesPerNs; }

}  // namespace

const kernels::Services& lane_services() {
  static const kernels::Services kServices = with_common_services(
      {.sleep = &pass_time, .clock = &clock_of_lane, .global_timer = &timer_of_lane});
  return kServices;
}

}  // namespace xfer::emulator::grid
