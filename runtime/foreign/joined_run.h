#pragma once
// A run whose calls know the work that they gave: joined by correlation. Work without a call gets
// one, at the operator that asked for it.
//
// Cost: sorts calls and work by correlation, and calls by time. Memory: an entry for each call that
// was not recorded.

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "foreign/call_names.h"
#include "foreign/run.h"

namespace xfer::foreign {

class JoinedRun {
 public:
  explicit JoinedRun(Run run);

  Run& run() { return run_; }
  const Run& run() const { return run_; }

  /// By their begins.
  const std::vector<Call>& calls() const { return run_.calls; }
  /// All work, by correlation.
  const std::vector<Work>& work() const { return run_.work; }
  /// Of `call`, by begin. A call of calls().
  std::span<const Work> work_of(const Call& call) const {
    return std::span(run_.work).subspan(call.first_work, call.works);
  }
  /// Whether it began before all else that its call gave.
  bool is_first(std::size_t work) const {
    return work == 0 || run_.work[work - 1].correlation != run_.work[work].correlation;
  }
  CallKind kind(const Call& call) const { return kinds_[call.name]; }
  /// The call was not recorded: it stands for its work.
  bool is_lone(const Call& call) const { return lone_.contains(call.correlation); }
  /// The tool records waits. If it does not, a copy that was waited for looks like one that was
  /// not.
  bool has_waits() const { return has_waits_; }
  /// The program is known to have memory that the host and devices reach: pinned or managed.
  bool shares_memory() const { return shares_memory_; }

 private:
  void sort_work();
  void join();
  void name_hip_streams();
  void look_at_calls();
  bool shares_memory_by_work() const;

  Run run_;
  std::vector<CallKind> kinds_;  ///< by name
  std::unordered_set<std::uint64_t> lone_;
  bool has_waits_ = false;
  bool shares_memory_ = false;
};

}  // namespace xfer::foreign
