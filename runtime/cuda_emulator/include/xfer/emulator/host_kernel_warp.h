#pragma once
// Warp operations: every lane leaves a value, waits for the lanes of the mask, and looks at what
// they left. A lane that returned or is not in the mask reads its own value, where CUDA promises
// nothing.

#include <cstring>

#include "xfer/emulator/host_kernel_device.h"

namespace xfer::emulator {

/// This thread's place in its warp.
inline unsigned lane_id() {
  const auto& t = this_thread;
  return (t.thread.x + t.block_dim.x * (t.thread.y + t.block_dim.y * t.thread.z)) % kWarpSize;
}

/// `value` as every lane left it, and who did. To be read before the thread waits again.
template <typename T>
struct Lanes {
  static_assert(sizeof(T) <= kMaxLaneBytes && std::is_trivially_copyable_v<T>);

  Lanes(unsigned mask, const T& value) : own_(value) {
    met_ = this_thread.sync_warp(mask, &value, sizeof(T), &bytes_);
  }
  unsigned met() const { return met_; }
  bool has(unsigned lane) const { return lane < kWarpSize && (met_ >> lane & 1u) != 0; }
  T at(unsigned lane) const {
    if (!has(lane)) return own_;
    T value = own_;
    std::memcpy(static_cast<void*>(&value), bytes_[lane], sizeof(T));
    return value;
  }

 private:
  T own_;
  unsigned met_;
  const unsigned char (*bytes_)[kMaxLaneBytes];
};

inline unsigned vote(unsigned mask, int predicate) {
  const Lanes<int> lanes(mask, predicate != 0);
  unsigned result = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (lanes.has(lane) && lanes.at(lane) != 0) result |= 1u << lane;
  }
  return result;
}

template <typename T, typename Combine>
T reduce(unsigned mask, T value, Combine combine) {
  const Lanes<T> lanes(mask, value);
  const unsigned self = lane_id();
  T result = value;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (lane != self && lanes.has(lane)) result = combine(result, lanes.at(lane));
  }
  return result;
}

}  // namespace xfer::emulator

inline void __syncwarp(unsigned mask = 0xffffffffu) { xfer::emulator::Lanes<int>(mask, 0); }
inline unsigned __activemask() { return xfer::emulator::Lanes<int>(0xffffffffu, 0).met(); }
inline unsigned __ballot_sync(unsigned mask, int predicate) {
  return xfer::emulator::vote(mask, predicate);
}
inline int __any_sync(unsigned mask, int predicate) {
  return xfer::emulator::vote(mask, predicate) != 0;
}
inline int __all_sync(unsigned mask, int predicate) {
  return xfer::emulator::vote(mask, !predicate) == 0;
}

template <typename T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  const unsigned self = xfer::emulator::lane_id();
  const unsigned segment = self & ~static_cast<unsigned>(width - 1);
  return xfer::emulator::Lanes<T>(mask, value)
      .at(segment + (static_cast<unsigned>(source) & (width - 1)));
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const unsigned self = xfer::emulator::lane_id();
  const unsigned segment = self & ~static_cast<unsigned>(width - 1);
  const xfer::emulator::Lanes<T> lanes(mask, value);
  return self >= segment + delta ? lanes.at(self - delta) : value;
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const unsigned self = xfer::emulator::lane_id();
  const unsigned segment = self & ~static_cast<unsigned>(width - 1);
  const xfer::emulator::Lanes<T> lanes(mask, value);
  return self + delta < segment + static_cast<unsigned>(width) ? lanes.at(self + delta) : value;
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32) {
  const unsigned self = xfer::emulator::lane_id();
  const unsigned source = self ^ static_cast<unsigned>(lane_mask);
  const unsigned end = (self & ~static_cast<unsigned>(width - 1)) + static_cast<unsigned>(width);
  const xfer::emulator::Lanes<T> lanes(mask, value);
  return source < end ? lanes.at(source) : value;
}

inline unsigned __reduce_add_sync(unsigned mask, unsigned value) {
  return xfer::emulator::reduce(mask, value, [](unsigned a, unsigned b) { return a + b; });
}
inline unsigned __reduce_max_sync(unsigned mask, unsigned value) {
  return xfer::emulator::reduce(mask, value, [](unsigned a, unsigned b) { return a < b ? b : a; });
}
inline unsigned __reduce_min_sync(unsigned mask, unsigned value) {
  return xfer::emulator::reduce(mask, value, [](unsigned a, unsigned b) { return b < a ? b : a; });
}
