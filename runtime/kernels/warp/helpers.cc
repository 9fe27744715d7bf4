#include "kernels/warp/helpers.h"

#include <algorithm>
#include <cstdlib>

namespace xfer::kernels::warp {
namespace {

std::uint32_t combined(Reduce how, std::uint32_t a, std::uint32_t b) {
  const auto sign = [](std::uint32_t value) { return static_cast<std::int32_t>(value); };
  switch (how) {
    case Reduce::kAdd: return a + b;
    case Reduce::kMin: return std::min(a, b);
    case Reduce::kMax: return std::max(a, b);
    case Reduce::kMinSigned: return sign(a) < sign(b) ? a : b;
    case Reduce::kMaxSigned: return sign(a) > sign(b) ? a : b;
    case Reduce::kAnd: return a & b;
    case Reduce::kOr: return a | b;
    case Reduce::kXor: return a ^ b;
  }
  return a;
}

}  // namespace

std::byte* frame(Warp* warp, std::uint64_t bytes) {
  constexpr std::uint64_t kAlign = 128;
  bytes = (bytes + kAlign - 1) / kAlign * kAlign;
  if (warp->frame_bytes < bytes) {
    std::free(warp->frame);
    warp->frame = static_cast<std::byte*>(std::aligned_alloc(kAlign, bytes));
    if (warp->frame == nullptr) std::abort();
    warp->frame_bytes = bytes;
  }
  return warp->frame;
}

WarpState* state(Warp* warp, std::uint64_t bytes) {
  std::free(warp->state);
  warp->state = static_cast<WarpState*>(std::malloc(bytes));
  if (warp->state == nullptr) std::abort();
  return warp->state;
}

void match(std::uint32_t active, const std::uint32_t* masks, const std::uint64_t* values,
           const std::uint32_t* all, std::uint32_t* equal, std::uint32_t* results) {
  for_each_lane(active, [&](unsigned lane) {
    const std::uint32_t members = masks[lane] & active;
    std::uint32_t same = 0;
    for_each_lane(members, [&](unsigned other) {
      if (values[other] == values[lane]) same |= 1U << other;
    });
    equal[lane] = all[lane] != 0 && same == members ? 1 : 0;
    results[lane] = all[lane] == 0 ? same : same == members ? members : 0;
  });
}

void reduce(std::uint32_t active, const std::uint32_t* masks, const std::uint32_t* how,
            const std::uint32_t* values, std::uint32_t* results) {
  // Lanes of one mask are done together.
  for (std::uint32_t left = active; left != 0;) {
    const auto first = static_cast<unsigned>(__builtin_ctz(left));
    const std::uint32_t members = masks[first] & active;
    std::uint32_t result = values[first];
    for_each_lane(members & ~(1U << first), [&](unsigned lane) {
      result = combined(static_cast<Reduce>(how[first]), result, values[lane]);
    });
    for_each_lane(members, [&](unsigned lane) { results[lane] = result; });
    left &= ~(members | 1U << first);
  }
}

}  // namespace xfer::kernels::warp
