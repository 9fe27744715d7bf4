#pragma once
// The time that a program wins without a call that waits: less than the call took, since the wait
// for the device's work moves to the next call that waits. Of a wait of w, followed after g by the
// next waiting call of the thread, the program wins min(w, g): the host's work in between then
// overlaps the device's.
//
// Cost: O(1) a call. Memory: one entry per thread.

#include <cstdint>
#include <unordered_map>

#include "detect/finding_groups.h"

namespace xfer {

class MovedWaits {
 public:
  explicit MovedWaits(FindingGroups& groups) : groups_(groups) {}

  /// A call that waits begins: what became of the one before is known.
  void next_wait(const Event& call);
  /// The copy was one that waits; of its time, `wait_ns` for earlier work.
  void waited(const TransferPtr& copy, std::uint64_t wait_ns);
  /// The call was charged to the group, its saving was not.
  void waited(const Event& call, FindingGroup& group);
  /// No wait follows any more: nothing moves.
  void finish();

 private:
  struct Waited {
    TransferPtr copy;
    FindingGroup* group = nullptr;
    std::uint64_t end_ns = 0;
    std::uint64_t wait_ns = 0;
    std::uint64_t rest_ns = 0;
  };
  void settle(Waited& waited, std::uint64_t gap_ns);

  FindingGroups& groups_;
  std::unordered_map<std::uint32_t, Waited> last_;  ///< by thread
};

}  // namespace xfer
