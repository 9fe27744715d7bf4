#include "grid/services.h"

#include <algorithm>

#include "grid/common_services.h"
#include "grid/in_service.h"
#include "grid/warp_services.h"

namespace xfer::emulator::grid {
namespace {

using kernels::Thread;

void barrier(Thread* thread, std::uint32_t id, std::uint32_t count) {
  const InService in(thread);
  in.sync(id, count, 0);
}

void arrive(Thread* thread, std::uint32_t id, std::uint32_t count) {
  const InService in(thread);
  in.block().arrive(id, count);
  in.runner.pass(in.worker);
}

std::uint32_t barrier_count(Thread* thread, std::uint32_t id, std::uint32_t count,
                            std::uint32_t predicate, std::uint32_t* arrived) {
  const InService in(thread);
  const Tally tally = in.sync(id, count, predicate);
  if (arrived != nullptr) *arrived = tally.arrived;
  return tally.holding;
}

void yield(Thread* thread) {
  const InService in(thread);
  in.runner.yield(in.worker);
}

void pause(Thread* thread) {
  const InService in(thread);
  in.runner.pause(in.worker);
}

void sleep(Thread* thread, std::uint32_t ns) {
  constexpr std::uint32_t kLongest = 1'000'000;  // as the hardware does
  const InService in(thread);
  in.runner.clock().spend(std::min(ns, kLongest));
  in.runner.yield(in.worker);
}

std::uint64_t clock(Thread* thread) {
  const InService in(thread);
  return in.runner.clock().read(in.worker.clock_reads++);
}

std::uint64_t global_timer(Thread* thread) { return clock(thread) / Clock::kCyclesPerNs; }

std::uint32_t is_local(Thread* thread, std::uintptr_t address) {
  const InService in(thread);
  const auto local = reinterpret_cast<std::uintptr_t>(in.worker.local);
  return address - local < in.worker.local_size || in.worker.fiber.holds(address) ? 1 : 0;
}

}  // namespace

const kernels::Services& services() {
  static const kernels::Services kServices = with_common_services({.barrier = &barrier,
                                                                   .arrive = &arrive,
                                                                   .barrier_count = &barrier_count,
                                                                   .warp_barrier = &warp_barrier,
                                                                   .shuffle = &shuffle,
                                                                   .vote = &vote,
                                                                   .match = &match,
                                                                   .reduce = &reduce,
                                                                   .active_mask = &active_mask,
                                                                   .exchange = &exchange,
                                                                   .yield = &yield,
                                                                   .pause = &pause,
                                                                   .sleep = &sleep,
                                                                   .clock = &clock,
                                                                   .global_timer = &global_timer,
                                                                   .is_local = &is_local});
  return kServices;
}

}  // namespace xfer::emulator::grid
