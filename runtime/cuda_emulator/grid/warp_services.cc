#include "grid/warp_services.h"

#include <algorithm>

#include "grid/in_service.h"

namespace xfer::emulator::grid {
namespace {

using What = MeetingKey::What;
using kernels::Reduce;
using kernels::Shuffle;
using kernels::Thread;
using kernels::Vote;

MeetingKey key_of(What what, std::uint32_t mask) { return {what, 0, mask}; }

template <typename How>
MeetingKey key_of(What what, How how, std::uint32_t mask) {
  return {what, static_cast<std::uint32_t>(how), mask};
}

struct Source {
  unsigned lane;
  bool in_range;
};

/// As the PTX ISA writes it down at shfl.sync: `b` is the source lane or the distance, `c` has the
/// clamp in its low bits and the mask of the segments above.
Source source_of(Shuffle how, unsigned self, std::uint32_t b, std::uint32_t c) {
  const int distance = static_cast<int>(b & 31);
  const int lane = static_cast<int>(self);
  const int clamp = static_cast<int>(c & 31);
  const int segment = static_cast<int>(c >> 8 & 31);
  const int least = lane & segment;
  const int most = least | (clamp & ~segment);
  int from = lane;
  bool in_range = false;
  switch (how) {
    case Shuffle::kUp:
      from = lane - distance;
      in_range = from >= most;
      break;
    case Shuffle::kDown:
      from = lane + distance;
      in_range = from <= most;
      break;
    case Shuffle::kButterfly:
      from = lane ^ distance;
      in_range = from <= most;
      break;
    case Shuffle::kIndex:
      from = least | (distance & ~segment);
      in_range = from <= most;
      break;
  }
  return {in_range ? static_cast<unsigned>(from) : self, in_range};
}

std::uint32_t combine(Reduce how, std::uint32_t a, std::uint32_t b) {
  const auto in_order = [&] { return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b); };
  switch (how) {
    case Reduce::kAdd: return a + b;
    case Reduce::kMin: return std::min(a, b);
    case Reduce::kMax: return std::max(a, b);
    case Reduce::kMinSigned: return in_order() ? a : b;
    case Reduce::kMaxSigned: return in_order() ? b : a;
    case Reduce::kAnd: return a & b;
    case Reduce::kOr: return a | b;
    case Reduce::kXor: return a ^ b;
  }
  return a;
}

/// The lanes that brought this value.
template <typename T>
std::uint32_t with_value(const Meeting& met, T value) {
  std::uint32_t lanes = 0;
  for_each_lane(met.came, [&](unsigned lane) {
    if (met.value<T>(lane) == value) lanes |= std::uint32_t{1} << lane;
  });
  return lanes;
}

}  // namespace

void warp_barrier(Thread* thread, std::uint32_t mask) {
  const InService in(thread);
  in.meet(key_of(What::kBarrier, mask), char{});
}

std::uint32_t shuffle(Thread* thread, std::uint32_t mask, Shuffle how, std::uint32_t value,
                      std::uint32_t lane, std::uint32_t clamp, std::uint32_t* in_range) {
  const InService in(thread);
  const Meeting& met = in.meet(key_of(What::kShuffle, how, mask), value);
  const Source source = source_of(how, in.worker.lane(), lane, clamp);
  if (in_range != nullptr) *in_range = source.in_range ? 1 : 0;
  return met.has(source.lane) ? met.value<std::uint32_t>(source.lane) : value;
}

std::uint32_t vote(Thread* thread, std::uint32_t mask, Vote how, std::uint32_t predicate) {
  const InService in(thread);
  const Meeting& met = in.meet(key_of(What::kVote, how, mask), predicate != 0);
  const std::uint32_t holding = with_value(met, true);
  switch (how) {
    case Vote::kBallot: return holding;
    case Vote::kAny: return holding != 0 ? 1 : 0;
    case Vote::kAll: return holding == met.came ? 1 : 0;
    case Vote::kUniform: return holding == 0 || holding == met.came ? 1 : 0;
  }
  return 0;
}

std::uint32_t match(Thread* thread, std::uint32_t mask, std::uint64_t value, std::uint32_t all,
                    std::uint32_t* equal) {
  const InService in(thread);
  const Meeting& met = in.meet(key_of(What::kMatch, all, mask), value);
  const std::uint32_t same = with_value(met, value);
  if (all == 0) return same;
  const bool holds = same == met.came;
  if (equal != nullptr) *equal = holds ? 1 : 0;
  return holds ? same : 0;
}

std::uint32_t reduce(Thread* thread, std::uint32_t mask, Reduce how, std::uint32_t value) {
  const InService in(thread);
  const Meeting& met = in.meet(key_of(What::kReduce, how, mask), value);
  for_each_lane(met.came & ~in.worker.bit(), [&](unsigned lane) {
    value = combine(how, value, met.value<std::uint32_t>(lane));
  });
  return value;
}

std::uint32_t active_mask(Thread* thread, std::uint32_t site) {
  const InService in(thread);
  return in.meet(key_of(What::kStop, site), char{}).came;
}

const std::byte* exchange(Thread* thread, std::uint32_t mask, const std::byte* value,
                          std::uint32_t bytes) {
  const InService in(thread);
  const std::size_t all = std::min<std::size_t>(bytes, kMostBytes);
  return in.meet(key_of(What::kExchange, bytes, mask), value, all).values[0];
}

}  // namespace xfer::emulator::grid
