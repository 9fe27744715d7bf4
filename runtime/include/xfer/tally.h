#pragma once
// Counters of a run, a scope or a thread, for budgets and assertions: copies by direction,
// launches, waits, allocations. The report and the library in the traced process share them.

#include <array>
#include <cstdint>
#include <string_view>

#include "xfer/event.h"

namespace xfer {

enum class Direction : std::uint8_t {
  kHostToDevice,
  kDeviceToHost,
  kWithinDevice,
  kBetweenDevices,
  kOther
};

constexpr std::string_view name(Direction direction) {
  switch (direction) {
    case Direction::kHostToDevice: return "host-to-device";
    case Direction::kDeviceToHost: return "device-to-host";
    case Direction::kWithinDevice: return "within-device";
    case Direction::kBetweenDevices: return "between-devices";
    case Direction::kOther: return "other";
  }
  return {};
}

/// Of a kCopy.
Direction direction_of(const Event& copy);

struct Tally {
  enum Counted {
    kH2dBytes,
    kH2dCount,
    kD2hBytes,
    kD2hCount,
    kD2dBytes,
    kD2dCount,
    kP2pBytes,
    kP2pCount,
    kLaunches,
    kSyncs,
    kAllocations,
    kHostWaits,
    kAll
  };
  static constexpr std::array<std::string_view, kAll> kNames = {
      "h2d_bytes", "h2d_count", "d2h_bytes", "d2h_count", "d2d_bytes",   "d2d_count",
      "p2p_bytes", "p2p_count", "launches",  "syncs",     "allocations", "host_waits"};

  std::array<std::uint64_t, kAll> of{};

  /// A call that failed, or was recorded into a graph, did nothing.
  void add(const Event& event);
};

/// A call that makes the host wait; asking whether something has ended does not.
constexpr bool is_wait(const Event& event) {
  return event.kind == EventKind::kSync && (event.flags & kAsync) == 0;
}

/// A call that makes the host wait, whatever it is for: a sync, a copy across the border that is
/// synchronous or touches pageable memory, and freeing a device's memory.
constexpr bool is_host_wait(const Event& event) {
  if ((event.flags & (kFailed | kCaptured)) != 0) return false;
  const bool waits = (event.flags & kAsync) == 0;
  switch (event.kind) {
    case EventKind::kSync: return waits;
    case EventKind::kCopy:
      if (is_host(event.space) == is_host(event.source_space)) return false;
      return waits || event.space == Space::kPageable || event.source_space == Space::kPageable;
    case EventKind::kFree:
      return waits && event.space == Space::kDevice && event.sync == SyncScope::kNone &&
             (event.flags & (kSuballocation | kMayTouchAll)) == 0;
    default: return false;
  }
}

/// Memory that CUDA gave out, not a block that the program's allocator cut from it.
constexpr bool is_device_allocation(const Event& event) {
  return event.kind == EventKind::kAlloc && (event.flags & (kSuballocation | kRegistered)) == 0 &&
         event.space == Space::kDevice;
}

}  // namespace xfer
