#pragma once
// Lanes of a warp that do one operation together (shuffle, vote, barrier...): who came, and what
// each brought. A lane keeps it until it waits again, and reads there what the others brought.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "kernels/warp_frame.h"

namespace xfer::emulator::grid {

struct Worker;

using kernels::for_each_lane;

inline constexpr unsigned kLanes = kernels::kLanes;
inline constexpr std::size_t kMostBytes = 16;

/// Lanes meet that do the same operation with the same mask.
struct MeetingKey {
  enum class What : std::uint32_t { kBarrier, kShuffle, kVote, kMatch, kReduce, kExchange, kStop };

  What what = What::kBarrier;
  std::uint32_t how = 0;   ///< which shuffle, which vote
  std::uint32_t mask = 0;  ///< kStop, where all that can come do: the place in the code
  bool operator==(const MeetingKey&) const = default;
};

struct Meeting {
  MeetingKey key;
  std::uint32_t came = 0;
  std::uint32_t readers = 0;  ///< lanes that may still look at it
  Worker* workers[kLanes] = {};
  alignas(16) std::byte values[kLanes][kMostBytes] = {};

  template <typename T>
  T value(unsigned lane) const {
    static_assert(sizeof(T) <= kMostBytes);
    T result;
    std::memcpy(&result, values[lane], sizeof(T));
    return result;
  }
  bool has(unsigned lane) const { return lane < kLanes && (came >> lane & 1) != 0; }
};

/// Meetings that are over are used again.
class MeetingPool {
 public:
  Meeting* take(const MeetingKey& key);
  /// A lane looks at it no more.
  void let_go(Meeting* meeting);

 private:
  std::vector<std::unique_ptr<Meeting>> all_;
  std::vector<Meeting*> free_;
};

}  // namespace xfer::emulator::grid
