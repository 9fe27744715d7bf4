#include "grid/lane_services.h"

#include "grid/common_services.h"
#include "grid/grid_run.h"
#include "grid/texture_services.h"

namespace xfer::emulator::grid {
namespace {

using kernels::Thread;

/// Nobody can go on meanwhile: time passes.
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
  static constexpr kernels::Services kServices = {.sleep = &pass_time,
                                                  .clock = &clock_of_lane,
                                                  .global_timer = &timer_of_lane,
                                                  .print = &print,
                                                  .allocate = &allocate,
                                                  .release = &release,
                                                  .read_texture = &read_texture,
                                                  .read_surface = &read_surface,
                                                  .write_surface = &write_surface,
                                                  .query_texture = &query_texture,
                                                  .query_surface = &query_surface,
                                                  .trap = &trap,
                                                  .fail_assertion = &fail_assertion};
  return kServices;
}

}  // namespace xfer::emulator::grid
