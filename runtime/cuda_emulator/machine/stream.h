#pragma once
// Streams, the work in their queues, and events. Plain state: the scheduler moves it.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "machine/hooks.h"

namespace xfer::emulator {

struct Capture;
struct GraphNode;
struct Stream;

/// One cudaEventRecord: done when the work before it is.
struct Record {
  Stream* stream = nullptr;  ///< null once done
  bool done = false;
  std::uint64_t time_ns = 0;
};

/// Host memory that queued work will read or write.
struct HostRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool overlaps(const HostRange& other) const { return begin < other.end && other.begin < end; }
};

struct Op {
  enum class Kind { kWork, kRecord, kWait, kHostFunction };

  Kind kind = Kind::kWork;
  std::uint64_t sequence = 0;  ///< order of queueing over all streams
  std::function<void()> run;   ///< kWork, kHostFunction
  /// kWork, instead: false: it is not over, as only the host can help it. `patient`: it may wait
  /// for that a while.
  std::function<bool(bool patient)> run_part;
  bool others_wait = false;            ///< for it, by other means than CUDA's: it runs in the end
  bool begun = false;                  ///< a part of it has run
  std::shared_ptr<Record> record;      ///< kRecord, kWait
  Activity activity;                   ///< reported when it has run, unless its kind is kNone
  std::vector<HostRange> host_ranges;  ///< what a poisoned destination must not reach under
};

struct Stream {
  int device = 0;
  std::uint32_t id = 0;  ///< as activity records give it
  unsigned flags = 0;
  int priority = 0;
  bool legacy = false;   ///< the default stream that waits for all others
  bool blocking = true;  ///< takes part in what the legacy stream does
  bool in_host_function = false;
  bool has_late_helper = false;  ///< a thread comes to run what others wait for
  std::uint64_t ready_ns = 0;    ///< virtual time at which all that is queued has run
  std::deque<Op> queue;
  std::map<int, cudaLaunchAttributeValue> attributes;
  std::shared_ptr<Capture> capture;  ///< null: work is queued; else kept for a graph
};

struct Event {
  int device = 0;
  std::uint32_t id = 0;
  unsigned flags = 0;
  std::shared_ptr<Record> record;    ///< the latest, null before the first
  std::shared_ptr<Capture> capture;  ///< that the latest was recorded in, instead
  Stream* captured_on = nullptr;
  std::uint64_t captured_nodes = 0;  ///< what that stream had been given by then
  std::vector<GraphNode*> captured_last;
};

}  // namespace xfer::emulator
