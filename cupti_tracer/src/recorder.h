#pragma once
// From API calls to events: classifies what a call touches, reads what a copy carried at the moment
// when that is certain, ties launches to their buffers. Knows nothing of CUPTI and makes no CUDA
// call, so all of it is tested with hand-made calls.
//
// When content is read: an upload's at the call's entry, where the source is intact; a synchronous
// download's at its exit; an asynchronous one's at the first sync that covers it, or not at all.
//
// enter() and exit() are called by the thread that makes the call. Thread-safe.

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "api_call.h"
#include "content_budget.h"
#include "device_variables.h"
#include "event_queue.h"
#include "graphs/executable_graphs.h"
#include "in_flight.h"
#include "kernel_table.h"
#include "managed_use.h"
#include "memory_map.h"
#include "touched_range.h"
#include "unread_downloads.h"
#include "xfer/tally.h"

namespace xfer::tracer {

struct RecorderOptions {
  bool hash = true;
  std::uint64_t hash_max_bytes = 0;  ///< 0: no limit
  std::uint64_t hash_budget = 100;   ///< see ContentBudget
  bool watch_plain_memory = false;   ///< see UnreadDownloads
};

/// Where and when a call is made.
struct CallSite {
  std::uint64_t correlation = 0;
  std::int16_t device = 0;  ///< current
  std::uint32_t thread = 0;
  std::uint32_t site = 0;
  std::uint64_t begin_ns = 0;
  const char* symbol = nullptr;  ///< a launch's kernel, mangled
  bool captured = false;         ///< into a graph
};

/// A call between its entry and its exit. One per thread, reused.
struct OpenCall {
  struct Part {
    EventQueue::Ticket ticket;
    Event event;
    CopyCall transfer;
    bool hash_at_exit;
    bool hash_at_sync;
    bool kernel = false;
    std::vector<Event> arguments{};  ///< of a kernel or graph that are not told yet
    std::vector<GraphSide> sides{};  ///< of a graph's copies
    bool graph = false;
    bool is_plain_graph = false;  ///< of a graph
  };
  ApiCall call;
  CallSite at;
  std::vector<Part> parts;
  std::optional<Allocation> freed;
  Tally done;               ///< what this thread's calls did so far
  bool clock_read = false;  ///< by the program in this thread, since it last waited
  unsigned implicit = 0;    ///< not 0: its copies are an operation's own (annotate.h)
};

/// How a pointer that no seen allocation covers is classified: kPageable, kPinned, kDevice,
/// kManaged, or kUnknown. Must not synchronise.
using PointerQuery = std::function<Space(std::uint64_t address)>;

class Recorder {
 public:
  Recorder(EventQueue& queue, KernelTable& kernels, RecorderOptions options, PointerQuery query,
           HostUse use = {}, TouchQuery touched = {}, HostWatch watch = {}, GraphQuery graphs = {},
           VariableQuery variables = {});

  void enter(OpenCall& open);
  void exit(OpenCall& open, bool failed, std::uint64_t end_ns);

  /// In a signal handler: the host access that faulted at `address`, where CUDA's memory is or was.
  std::optional<Event> fault(std::uint64_t address) const;

  /// The program's annotations (annotate.h): its allocator gave out a block of device memory, or
  /// got it back; a scope begins, or ends.
  void block(const CallSite& at, std::uint64_t address, std::uint64_t bytes, bool alloc);
  void buffer_name(const CallSite& at, std::uint64_t address, std::uint64_t bytes,
                   std::uint32_t name);
  void scope_begin(const CallSite& at, std::uint32_t name, std::uint32_t id);
  void scope_end(const CallSite& at, std::uint32_t id);

  /// The C library is about to free plain memory at `address`. Not from within the recorder.
  void host_memory_freed(std::uint64_t address) { unread_.freed(address); }

  /// The program ends.
  void finish() { queue_.append(unread_.gone(0, UINT64_MAX)); }

  /// A stream is being captured somewhere: calls must say whether theirs is.
  bool capturing() const { return captures_.load(std::memory_order_relaxed) > 0; }
  /// Calls that move data in ways that are not modelled.
  std::uint64_t unmodelled() const { return unmodelled_.load(std::memory_order_relaxed); }
  /// How much of the copies' content was read, and how much was not for want of time.
  ContentBudget::Account content() const { return budget_.account(); }
  /// Uploads that were not searched for device addresses for want of time; kernels may then reach
  /// anything.
  std::uint64_t unsearched() const { return unsearched_.load(std::memory_order_relaxed); }
  /// Downloads to plain memory of which nobody will know whether they were read.
  std::uint64_t unwatched_results() const { return unread_.unwatched(); }
  void count_unmodelled() { unmodelled_.fetch_add(1, std::memory_order_relaxed); }

 private:
  struct SideMemory {
    Space space = Space::kUnknown;
    std::int16_t device = -1;
    bool readable_host = false;  ///< host memory that may be read here
    bool known = false;          ///< wholly in one allocation of CUDA's, or found to be readable
  };
  /// The transfer with variables as the device's memory that they are, where that is known.
  CopyCall resolve(const OpenCall& open, CopyCall transfer);
  SideMemory locate(const CopySide& side, std::uint64_t bytes, std::int16_t current) const;
  Event base_event(const OpenCall& open, EventKind kind) const;
  bool may_hash(const SideMemory& place, std::uint64_t bytes) const;
  /// There is time for it, too. The side can be read.
  bool wants_content(const CopyCall& transfer, const CopySide& side);

  void enter_copy(OpenCall& open, const CopyCall& transfer);
  void enter_set(OpenCall& open);
  void enter_free(OpenCall& open);
  void enter_launch(OpenCall& open);
  void enter_graph_launch(OpenCall& open);
  /// Adds the effects of a graph's launch on known memory, where the effects are known.
  void add_graph(const GraphLaunch& graph, OpenCall::Part& part);
  void enter_export(OpenCall& open);
  void enter_peer_access(OpenCall& open);
  void enter_stream_event(OpenCall& open, EventKind kind);
  void exit_alloc(OpenCall& open, std::uint64_t end_ns);
  void exit_sync(OpenCall& open, bool failed, std::uint64_t end_ns);
  void exit_reset(const OpenCall& open);
  void exit_part(OpenCall& open, OpenCall::Part& part, bool failed, std::uint64_t end_ns);
  /// The event of a call that is over.
  void append(OpenCall& open, const Event& event);

  /// Hashes downloads that have come.
  void settle(const std::vector<Download>& downloads);
  /// A call has returned: what follows from it for what is in flight. The downloads that have come.
  std::vector<Download> note(const Event& event, const InFlight::Details& details = {});
  std::optional<ContentHash> source_now(const CopyCall& transfer);
  void wait_begins(OpenCall& open);
  /// The bytes of this host memory go.
  void lose(std::uint64_t begin, std::uint64_t end);
  /// And the launch's kMayTouchAll and kAllArguments.
  std::vector<Event> buffers_of(const Kernel& kernel, const OpenCall& open, std::uint16_t& flags);
  /// Takes what the launch did touch for what its parameters allow, where that is known.
  void exit_launch(OpenCall::Part& part);
  /// The managed memory that it touched is told apart from what the host will.
  void note_managed(const OpenCall::Part& part);
  /// Adds the memory that the kernels of a graph's launch touched, where that is known.
  void add_graph_touches(OpenCall::Part& part) const;
  std::optional<ContentHash> source_at_launch(const GraphLaunch::HostSide& side);
  /// Adds the variables to what a launch may touch.
  void add_variables(OpenCall::Part& part) const;
  std::vector<Event> touched_buffers(const OpenCall::Part& part,
                                     const std::vector<TouchedRange>& touched) const;
  /// Whether an upload brings device addresses to where kernels can follow them.
  bool may_hold_addresses(const CopyCall& transfer, const SideMemory& from) const;
  /// The content of an upload, as far as it is wanted and there is time.
  void enter_upload(Event& event, const CopyCall& transfer, const SideMemory& from, bool search);
  /// Hashes an upload's content and searches it for device addresses, as far as each is wanted.
  void read_upload(Event& event, const CopyCall& transfer, const SideMemory& from, bool hash) const;

  EventQueue& queue_;
  KernelTable& kernels_;
  RecorderOptions options_;
  PointerQuery query_;
  MemoryMap memory_;
  UnreadDownloads unread_;
  ManagedUse managed_;
  const TouchQuery touched_;
  const TouchQuery graph_touched_;
  ExecutableGraphs graphs_;
  DeviceVariables variables_;
  ContentBudget budget_;
  InFlight in_flight_;
  std::atomic<int> captures_{0};
  std::atomic<std::uint64_t> unmodelled_{0};
  std::atomic<std::uint64_t> unsearched_{0};
  std::atomic<std::uint64_t> devices_{0};    // a bit for each device that was current
  std::atomic<bool> opaque_access_{false};   // kernels may reach memory without a parameter
  std::atomic<bool> shares_events_{false};   // with other processes
  std::atomic<bool> addresses_seen_{false};  // an upload held device addresses
};

/// The stream as the trace names it: 0 is the default stream, kThreadStream the thread's own.
std::uint64_t stream_name(std::uint64_t handle, bool thread_stream);

}  // namespace xfer::tracer
