#include "foreign/imported_trace.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <unordered_map>
#include <utility>

#include "foreign/call_names.h"
#include "foreign/joined_run.h"
#include "foreign/places.h"

namespace xfer::foreign {
namespace {

/// Streams' numbers in events: beside the handles of default streams, whose order is not recorded.
constexpr std::uint64_t kFirstStream = 0x100;

/// Made-up addresses: each copy has a slot of its own in a device's memory, and one on the host.
constexpr std::uint64_t kSlot = std::uint64_t{1} << 34;
constexpr std::uint64_t kSlots = 4096;
constexpr std::uint64_t device_base(std::int16_t device) {
  return std::uint64_t{1} << 62 | static_cast<std::uint64_t>(device) << 47;
}
constexpr std::uint64_t kHostBase = std::uint64_t{1} << 61;

class ImportedTrace final : public Trace {
 public:
  explicit ImportedTrace(Run run);

  bool next(Event& event) override;
  bool complete() const override { return run().problems.empty(); }
  const std::vector<std::string>& problems() const override { return run().problems; }
  std::string_view string(std::uint32_t id) const override { return run().texts.text(id); }
  std::span<const TraceFrame> stack(std::uint32_t) const override { return {}; }
  std::vector<TracePythonFrame> python_stack(std::uint32_t id) const override {
    return places_.frames(id);
  }
  const TraceModule* module(std::uint32_t) const override { return nullptr; }
  const Metadata& metadata() const override { return run().metadata; }
  std::vector<std::string> command_line() const override { return {}; }

 private:
  /// What a thread gave a device last.
  struct Given {
    std::uint64_t stream = kNoStream;
    std::int16_t device = 0;
    bool copy = false;
  };
  const Run& run() const { return joined_.run(); }
  void begin();

  void tell(const Call& call);
  void tell_work(const Call& call, std::span<const Work> given);
  void tell_wait(const Call& call, CallKind kind);
  void tell_record(const Call& call);
  void tell_device_time(const Work& work, bool first);
  /// `launched`: the kernel's name.
  Event event_of(const Call& call, EventKind kind, std::uint32_t launched = 0);
  void set_sides(Event& copy, const Work& work);
  std::uint64_t slot(std::int16_t device);
  static std::uint64_t stream_handle(std::uint64_t stream) { return kFirstStream + stream; }

  std::vector<Scope> annotations_;
  JoinedRun joined_;
  Places places_;
  std::unordered_map<std::uint64_t, std::uint64_t>
      record_streams_;                              ///< by the record's correlation
  std::vector<std::uint32_t> ends_;                 ///< of the work, by their ends
  std::unordered_map<std::uint32_t, Given> given_;  ///< by thread
  std::set<std::uint64_t> graphs_;                  ///< launches of graphs, by their correlation
  std::map<std::int16_t, std::uint64_t> slots_;     ///< used so far; -1: on the host
  std::size_t next_call_ = 0, next_end_ = 0, next_scope_ = 0;
  std::priority_queue<std::pair<std::uint64_t, std::size_t>,
                      std::vector<std::pair<std::uint64_t, std::size_t>>, std::greater<>>
      open_;  ///< annotations, by their ends
  std::deque<Event> due_;
};

std::vector<Scope> annotations_of(const Run& run) {
  std::vector<Scope> annotations;
  for (const Scope& scope : run.scopes)
    if (scope.kind == Scope::Kind::kAnnotation) annotations.push_back(scope);
  std::stable_sort(annotations.begin(), annotations.end(), [](const Scope& a, const Scope& b) {
    return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.end_ns > b.end_ns;
  });
  return annotations;
}

/// torch.profiler works on this project's emulated devices, too.
bool is_of_emulator(const Run& run) {
  const auto names = run.metadata.find("gpu.names");
  return names != run.metadata.end() &&
         names->second.find("emulated CUDA device") != std::string::npos;
}

ImportedTrace::ImportedTrace(Run run)
    : annotations_(annotations_of(run)), joined_(std::move(run)), places_(joined_.run()) {
  joined_.run().metadata["emulated"] = is_of_emulator(this->run()) ? "1" : "0";
  ends_.resize(joined_.work().size());
  std::iota(ends_.begin(), ends_.end(), std::uint32_t{0});
  std::stable_sort(ends_.begin(), ends_.end(), [&](std::size_t a, std::size_t b) {
    return joined_.work()[a].end_ns < joined_.work()[b].end_ns;
  });
  for (const auto& [correlation, wait] : this->run().waits)
    if (wait.record != kNoRecord && wait.recorded_on != kNoStream)
      record_streams_[static_cast<std::uint64_t>(wait.record)] = wait.recorded_on;
  begin();
}

/// The devices' memory and their streams, none of which was seen to be made.
void ImportedTrace::begin() {
  std::set<std::int16_t> devices;
  std::set<std::pair<std::int16_t, std::uint64_t>> streams;
  for (const Work& work : joined_.work()) {
    devices.insert(work.device);
    if (work.other_device >= 0) devices.insert(work.other_device);
    streams.emplace(work.device, work.stream);
  }
  for (const std::int16_t device : devices) {
    Event event;
    event.kind = EventKind::kAlloc;
    event.space = Space::kDevice;
    event.flags = kRegistered;
    event.device = device;
    event.address = device_base(device);
    event.bytes = kSlot * kSlots;
    due_.push_back(event);
  }
  for (const auto& [device, stream] : streams) {
    Event event;
    event.kind = EventKind::kStreamCreate;
    event.flags = kAsync;
    event.device = device;
    event.stream = stream_handle(stream);
    due_.push_back(event);
  }
}

bool ImportedTrace::next(Event& event) {
  while (due_.empty()) {
    constexpr std::uint64_t kNever = UINT64_MAX;
    const std::uint64_t call =
        next_call_ < joined_.calls().size() ? joined_.calls()[next_call_].begin_ns : kNever;
    const std::uint64_t end =
        next_end_ < ends_.size() ? joined_.work()[ends_[next_end_]].end_ns : kNever;
    const std::uint64_t opens =
        next_scope_ < annotations_.size() ? annotations_[next_scope_].begin_ns : kNever;
    const std::uint64_t closes = open_.empty() ? kNever : open_.top().first;
    const std::uint64_t now = std::min({call, end, opens, closes});
    if (now == kNever) return false;
    const auto scope_event = [&](EventKind kind, std::size_t index) {
      const Scope& scope = annotations_[index];
      Event told;
      told.kind = kind;
      told.thread = scope.thread;
      told.name = scope.name;
      told.event_id = index + 1;
      told.begin_ns = told.end_ns = now;
      due_.push_back(told);
    };
    if (closes == now) {
      scope_event(EventKind::kScopeEnd, open_.top().second);
      open_.pop();
    } else if (opens == now) {
      scope_event(EventKind::kScopeBegin, next_scope_);
      open_.emplace(std::max(annotations_[next_scope_].end_ns, now + 1), next_scope_);
      ++next_scope_;
    } else if (call == now) {
      tell(joined_.calls()[next_call_++]);
    } else {
      const std::size_t at = ends_[next_end_++];
      const Work& work = joined_.work()[at];
      tell_device_time(work, !graphs_.contains(work.correlation) && joined_.is_first(at));
    }
  }
  event = due_.front();
  due_.pop_front();
  return true;
}

Event ImportedTrace::event_of(const Call& call, EventKind kind, std::uint32_t launched) {
  Event event;
  event.kind = kind;
  event.thread = call.thread;
  event.site = places_.site(call, launched);
  event.correlation = call.correlation;
  event.begin_ns = call.begin_ns;
  event.end_ns = std::max(call.end_ns, call.begin_ns);
  if (call.failed) event.flags |= kFailed;
  return event;
}

std::uint64_t ImportedTrace::slot(std::int16_t device) {
  const std::uint64_t number = slots_[device]++ % kSlots;
  return (device < 0 ? kHostBase : device_base(device)) + number * kSlot;
}

void ImportedTrace::set_sides(Event& copy, const Work& work) {
  const bool from_host = is_host(work.from);
  const bool to_host = is_host(work.to);
  copy.space = work.to;
  copy.source_space = work.from;
  copy.source_device = from_host ? std::int16_t{-1} : work.device;
  copy.device = to_host                  ? std::int16_t{-1}
                : work.other_device >= 0 ? work.other_device
                                         : work.device;
  copy.address = slot(copy.device);
  copy.source = slot(copy.source_device);
}

void ImportedTrace::tell(const Call& call) {
  const CallKind kind = joined_.kind(call);
  if (call.works != 0) return tell_work(call, joined_.work_of(call));
  switch (kind) {
    case CallKind::kSyncStream:
    case CallKind::kSyncDevice:
    case CallKind::kSyncEvent:
    case CallKind::kQuery: return tell_wait(call, kind);
    case CallKind::kEventRecord: return tell_record(call);
    case CallKind::kStreamWait: {
      const auto wait = run().waits.find(call.correlation);
      if (wait == run().waits.end() || wait->second.stream == kNoStream ||
          wait->second.record == kNoRecord)
        return;
      Event event = event_of(call, EventKind::kStreamWait);
      event.device = wait->second.device;
      event.stream = stream_handle(wait->second.stream);
      event.event_id = static_cast<std::uint64_t>(wait->second.record);
      due_.push_back(event);
      return;
    }
    case CallKind::kAlloc:
    case CallKind::kFree:
    case CallKind::kAllocAsync:
    case CallKind::kAllocPinned:
    case CallKind::kFreePinned: {
      const bool allocates = kind != CallKind::kFree && kind != CallKind::kFreePinned;
      const bool on_device = kind != CallKind::kAllocPinned && kind != CallKind::kFreePinned;
      Event event = event_of(call, allocates ? EventKind::kAlloc : EventKind::kFree);
      event.space = on_device ? Space::kDevice : Space::kPinned;
      event.device = on_device ? given_[call.thread].device : std::int16_t{-1};
      event.address = kUnrecordedAddress;
      const auto memory = run().memory.find(call.correlation);
      if (kind == CallKind::kAllocAsync) {
        event.flags |= kAsync;
      } else if (memory != run().memory.end()) {
        event.address = memory->second.address;
        event.bytes = memory->second.bytes;
        event.device = memory->second.device;
      }
      due_.push_back(event);
      return;
    }
    default: return;
  }
}

void ImportedTrace::tell_work(const Call& call, std::span<const Work> given) {
  const Work& work = given.front();
  const std::string_view name = run().texts.text(call.name);
  // One call gives several kernels by a graph alone, whether the call's name was recorded or not.
  const bool is_graph =
      name.find("GraphLaunch") != std::string_view::npos ||
      (given.size() > 1 && std::any_of(given.begin(), given.end(), [](const Work& one) {
         return one.kind == Work::Kind::kKernel;
       }));
  if (is_graph) graphs_.insert(call.correlation);
  const Work::Kind kind = is_graph ? Work::Kind::kKernel : work.kind;
  given_[call.thread] = {work.stream, work.device, kind == Work::Kind::kCopy};
  const auto begin = [&](EventKind what, std::uint32_t launched = 0) {
    Event event = event_of(call, what, launched);
    event.device = work.device;
    event.stream = stream_handle(work.stream);
    return event;
  };
  switch (kind) {
    case Work::Kind::kKernel: {
      const std::uint32_t kernel = is_graph ? 0 : work.name;
      Event launch = begin(EventKind::kLaunch, kernel);
      launch.flags |= kAsync | kMayTouchAll;
      launch.name = kernel;
      if (!joined_.shares_memory()) launch.space = Space::kDevice;
      due_.push_back(launch);
      break;
    }
    case Work::Kind::kCopy: {
      Event copy = begin(EventKind::kCopy);
      copy.flags |= kMayTouchAll;
      // A copy of pageable memory that was waited for must not look like one that was not.
      const bool pageable = work.from == Space::kPageable || work.to == Space::kPageable;
      const bool lone = joined_.is_lone(call);
      const bool asked_async = lone || joined_.kind(call) != CallKind::kCopy;
      if (asked_async && (!pageable || (joined_.has_waits() && !lone))) copy.flags |= kAsync;
      copy.bytes = work.bytes != 0 ? work.bytes : call.bytes;
      set_sides(copy, work);
      due_.push_back(copy);
      break;
    }
    case Work::Kind::kFill: {
      Event fill = begin(EventKind::kSet);
      fill.flags |= kMayTouchAll;
      if (joined_.is_lone(call) || name.find("Async") != std::string_view::npos)
        fill.flags |= kAsync;
      fill.space = work.to;
      fill.bytes = work.bytes;
      fill.address = slot(work.device);
      due_.push_back(fill);
      break;
    }
  }
}

void ImportedTrace::tell_wait(const Call& call, CallKind kind) {
  Event event = event_of(call, EventKind::kSync);
  const auto known = run().waits.find(call.correlation);
  const Wait* const wait = known != run().waits.end() ? &known->second : nullptr;
  const Given& given = given_[call.thread];
  event.device = wait != nullptr ? wait->device : given.device;
  bool asks = kind == CallKind::kQuery;
  switch (kind) {
    case CallKind::kSyncDevice: event.sync = SyncScope::kDevice; break;
    case CallKind::kSyncStream: {
      event.sync = SyncScope::kStream;
      // Libraries wait for the copy that they just gave; for whatever else, nobody knows.
      const std::uint64_t stream = wait != nullptr && wait->stream != kNoStream ? wait->stream
                                   : call.stream != kNoStream                   ? call.stream
                                   : given.copy                                 ? given.stream
                                                                                : kNoStream;
      asks = asks || stream == kNoStream;
      event.stream = stream == kNoStream ? 0 : stream_handle(stream);
      break;
    }
    default:
      event.sync = SyncScope::kEvent;
      event.event_id = wait != nullptr && wait->record != kNoRecord
                           ? static_cast<std::uint64_t>(wait->record)
                           : UINT64_MAX;
  }
  if (asks) event.flags |= kAsync;
  due_.push_back(event);
}

void ImportedTrace::tell_record(const Call& call) {
  const auto on = record_streams_.find(call.correlation);
  const Given& given = given_[call.thread];
  const std::uint64_t stream = on != record_streams_.end() ? on->second : given.stream;
  if (stream == kNoStream) return;
  Event event = event_of(call, EventKind::kEventRecord);
  event.device = given.device;
  event.stream = stream_handle(stream);
  event.event_id = call.correlation;
  due_.push_back(event);
}

/// Of all that a call gave but the first copy, no other event tells.
void ImportedTrace::tell_device_time(const Work& work, bool first) {
  Event event;
  event.kind = EventKind::kDeviceTime;
  event.device = work.device;
  event.correlation = work.correlation;
  event.stream = stream_handle(work.stream);
  event.begin_ns = work.begin_ns;
  event.end_ns = work.end_ns;
  event.name = work.name;
  if (work.kind == Work::Kind::kCopy && !first) {
    event.bytes = work.bytes;
    event.space = work.to;
    event.source_space = work.from;
    event.source_device = work.device;
  }
  due_.push_back(event);
}

}  // namespace

std::unique_ptr<Trace> imported_trace(Run run) {
  return std::make_unique<ImportedTrace>(std::move(run));
}

}  // namespace xfer::foreign
