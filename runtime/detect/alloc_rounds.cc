#include "detect/alloc_rounds.h"

#include <algorithm>

namespace xfer {
namespace {

constexpr std::size_t kMostHeld = 4096;
constexpr std::uint64_t kManyRounds = 32;
constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15ull;

std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ number >> 31) * 0xc2b2ae3d27d4eb4full;
  return number ^ number >> 29;
}

}  // namespace

void AllocRounds::Digest::add(std::uint64_t number) {
  value = value * kFactor + mixed(number + 1);
  ++count;
}

std::uint64_t AllocRounds::Digest::since(const Digest& before) const {
  std::uint64_t power = 1;
  std::uint64_t factor = kFactor;
  for (std::uint64_t left = count - before.count; left != 0; left >>= 1) {
    if ((left & 1) != 0) power *= factor;
    factor *= factor;
  }
  return value - before.value * power;
}

void AllocRounds::see(const Event& event) {
  if (event.kind == EventKind::kLaunch) done_.kernels.add(event.name);
  if (event.kind != EventKind::kCopy && event.kind != EventKind::kSet) return;
  const std::uint64_t way = event.kind == EventKind::kSet ? 0
                            : is_host(event.source_space) ? 1
                            : is_host(event.space)        ? 2
                                                          : 3;
  done_.transfers.add(event.bytes << 2 | way);
}

AllocRounds::Round AllocRounds::round_since(const Done& before) const {
  const auto of = [](const Digest& now, const Digest& then) {
    return Round{now.since(then), now.count - then.count};
  };
  const Round transfers = of(done_.transfers, before.transfers);
  return transfers.count != 0 ? transfers : of(done_.kernels, before.kernels);
}

void AllocRounds::see_unplaced(const Event& event) {
  if ((event.flags & kAsync) != 0) return;  // of a pool
  Thread& thread = threads_[{event.thread, is_host(event.space)}];
  // The runtime's call makes the driver's, and both are recorded.
  if (event.begin_ns < thread.last_call_ns) return;
  thread.last_call_ns = event.end_ns;
  if (event.kind == EventKind::kAlloc) {
    if (thread.held.size() < kMostHeld) thread.held.push_back({event, done_});
    return;
  }
  if (thread.held.empty()) return;
  const Held held = thread.held.back();
  thread.held.pop_back();
  const Round round = round_since(held.before);
  Round& last = last_[{event.thread, held.call.site, thread.held.size()}];
  const std::uint64_t ns = duration_ns(held.call) + duration_ns(event);
  const Cost cost{1, 0, ns, 0, ns};
  if (round.count != 0 && round == last) {
    scene_.groups.charge(Rule::kAllocInLoop, Confidence::kLookAlike, Reason::kEachRound, held.call,
                         cost, event.site);
  } else if (round.count != 0 && last.count != 0) {
    Changing& changing = changing_[held.call.site];
    changing.call = held.call;
    changing.freed_at = event.site;
    changing.cost += cost;
  }
  last = round;
}

void AllocRounds::finish() {
  Cost all;
  for (const auto& [site, changing] : changing_) all += changing.cost;
  if (all.count < kManyRounds ||
      all.host_ns * 100 < scene_.in_use_ns() * scene_.options.least_alloc_percent)
    return;
  for (const auto& [site, changing] : changing_)
    if (changing.cost.count >= scene_.options.least_in_a_row)
      scene_.groups.charge(Rule::kAllocInLoop, Confidence::kLookAlike, Reason::kEachRound,
                           changing.call, changing.cost, changing.freed_at);
}

void AllocRounds::forget() {
  threads_.clear();
  last_.clear();
}

}  // namespace xfer
