#include "xfer/timeline.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "detect/remembered.h"
#include "examine.h"
#include "finding_text.h"
#include "function_name.h"

namespace xfer {
namespace {

using Json = nlohmann::ordered_json;

// The UI shows one group of tracks for each "process": the program, its devices, the findings.
constexpr int kTracksPerTrace = 1000;
constexpr int kFindings = 999;
constexpr std::size_t kMaxPending = std::size_t{1} << 18;

struct Track {
  std::int64_t process = 0;
  std::uint64_t thread = 0;
  auto operator<=>(const Track&) const = default;
};

/// The file: one array of events, written as they come.
class TimelineFile {
 public:
  explicit TimelineFile(std::ostream& out) : out_(out) { out_ << "{\"traceEvents\":["; }
  void add(const Json& event) {
    out_ << (first_ ? "\n" : ",\n") << event.dump(-1, ' ', false, Json::error_handler_t::replace);
    first_ = false;
  }
  void end() { out_ << "\n],\"displayTimeUnit\":\"ns\"}\n"; }

 private:
  std::ostream& out_;
  bool first_ = true;
};

double microseconds(std::uint64_t ns) { return static_cast<double>(ns) / 1000; }

class TraceTimeline {
 public:
  TraceTimeline(TimelineFile& file, int index, Trace& trace, Examined examined)
      : file_(file),
        base_((index + 1) * kTracksPerTrace),
        trace_(trace),
        examined_(std::move(examined)) {
    for (std::size_t i = 0; i < examined_.findings.size(); ++i) {
      const FoundAt& found = examined_.findings[i];
      first_calls_.emplace(std::pair(found.calls.first_ns, found.calls.site), i);
    }
  }

  void write() {
    for (Event event; trace_.next(event);) add(event);
    for (auto& [track, works] : works_)
      while (!works.empty()) put_first(track, works);
    end_scopes();
    name_tracks();
  }

 private:
  struct Call {
    std::string name;
    std::int16_t device;
    std::uint64_t stream;
    std::uint64_t bytes;
  };

  struct OpenScope {
    std::uint32_t name;
    std::uint64_t id;
  };

  struct DeviceWork {
    std::string name;
    std::uint64_t end_ns;
    std::uint64_t correlation;
    Json args;
  };
  static constexpr std::uint64_t kGapNs = 2;     ///< between two slices, since readers round
  static constexpr std::size_t kMostHeld = 256;  ///< device work of a track, to bring it in order

  void add(const Event& event) {
    if (event.kind == EventKind::kDeviceTime) return device_work(event);
    if (event.kind == EventKind::kScopeBegin || event.kind == EventKind::kScopeEnd)
      return scope(event);
    const std::string name = name_of(event);
    if (name.empty() || event.begin_ns == 0) return;
    last_ns_ = std::max(last_ns_, event.end_ns);
    Json args = Json::object();
    if (event.bytes != 0) args["bytes"] = event.bytes;
    if ((event.flags & kFailed) != 0) args["failed"] = true;
    const Track track{base_, event.thread};
    slice(track, name, event.begin_ns, event.end_ns, std::move(args));
    const auto finding = first_calls_.find({event.begin_ns, event.site});
    if (finding != first_calls_.end()) {
      show_finding(finding->second, event, track);
      first_calls_.erase(finding);
    }
    if (event.kind != EventKind::kCopy && event.kind != EventKind::kLaunch &&
        event.kind != EventKind::kSet)
      return;
    const std::int16_t device = event.device >= 0 ? event.device : event.source_device;
    pending_.put(event.correlation, Call{name, device, event.stream, event.bytes});
    arrow("s", "gives", event.correlation, track, event.begin_ns);
  }

  void device_work(const Event& event) {
    const Call* const call = pending_.find(event.correlation);
    if (call == nullptr) return;
    const Track track{base_ + 1 + std::max<std::int64_t>(call->device, 0), call->stream};
    Json args = call->bytes != 0 ? Json{{"bytes", call->bytes}} : Json::object();
    auto& works = works_[track];
    works.emplace(event.begin_ns,
                  DeviceWork{call->name, event.end_ns, event.correlation, std::move(args)});
    if (works.size() > kMostHeld) put_first(track, works);
  }

  // Slices of one track that overlap would be dropped by who reads them. Device times are told in
  // about their order, and those of emulated devices are estimates: each ends where the next
  // begins.
  void put_first(const Track& track, std::multimap<std::uint64_t, DeviceWork>& works) {
    const auto first = works.begin();
    auto& [begin, work] = *first;
    const auto next = std::next(first);
    const std::uint64_t last = shown_until_[track];
    const std::uint64_t shown = std::max(begin, last);
    std::uint64_t end = std::max(work.end_ns, shown);
    if (next != works.end())
      end = std::clamp(next->first - std::min(next->first, kGapNs), shown, end);
    if (shown != begin || end != work.end_ns) work.args["ns"] = work.end_ns - begin;
    slice(track, work.name, shown, end, std::move(work.args));
    arrow("f", "gives", work.correlation, track, shown);
    shown_until_[track] = end + kGapNs;
    works.erase(first);
  }

  // Slices of a track nest. Where a scope ends with others within it open, these are cut in two.
  void scope(const Event& event) {
    std::vector<OpenScope>& open = scopes_[event.thread];
    const Track track{base_, event.thread};
    last_ns_ = std::max(last_ns_, event.begin_ns);
    if (event.kind == EventKind::kScopeBegin) {
      open.push_back({event.name, event.event_id});
      return begin_scope(track, event.name, event.begin_ns);
    }
    const auto ended = std::find_if(open.rbegin(), open.rend(), [&](const OpenScope& scope) {
      return scope.id == event.event_id;
    });
    if (ended == open.rend()) return;
    const auto within = static_cast<std::size_t>(ended - open.rbegin());
    for (std::size_t i = 0; i <= within; ++i) end_scope(track, event.begin_ns);
    open.erase(std::next(ended).base());
    for (std::size_t i = open.size() - within; i < open.size(); ++i)
      begin_scope(track, open[i].name, event.begin_ns);
  }

  void begin_scope(const Track& track, std::uint32_t name, std::uint64_t ns) {
    put(track, Json{{"ph", "B"}, {"ts", microseconds(ns)}, {"name", trace_.string(name)}});
  }
  void end_scope(const Track& track, std::uint64_t ns) {
    put(track, Json{{"ph", "E"}, {"ts", microseconds(ns)}});
  }

  // A program that ended within a scope.
  void end_scopes() {
    for (const auto& [thread, open] : scopes_)
      for (std::size_t i = 0; i < open.size(); ++i) end_scope(Track{base_, thread}, last_ns_);
  }

  void show_finding(std::size_t index, const Event& call, const Track& at) {
    const Finding& finding = examined_.findings[index].finding;
    const Track track{base_ + kFindings, index};
    Json args{{"message", finding.message}, {"severity", name(finding.severity)}};
    if (!finding.location.file.empty())
      args["place"] = finding.location.file + ":" + std::to_string(finding.location.line);
    if (finding.cost) {
      args["count"] = finding.cost->count;
      args["bytes"] = finding.cost->bytes;
      args["host_ns"] = finding.cost->host_ns;
      args["saving_ns"] = finding.cost->saving_ns;
    }
    slice(track, slug_of(finding), call.begin_ns, call.end_ns, std::move(args));
    const std::uint64_t id = (std::uint64_t{1} << 48) + index;
    arrow("s", "finding", id, track, call.begin_ns);
    arrow("f", "finding", id, at, call.begin_ns);
  }

  // Demangled once, however often it is launched.
  const std::string& kernel_name(std::uint32_t id) {
    const auto [entry, is_new] = kernels_.try_emplace(id);
    if (is_new) {
      entry->second = function_name(std::string(trace_.string(id)).c_str());
      if (entry->second.empty()) entry->second = "launch";
    }
    return entry->second;
  }

  std::string name_of(const Event& event) {
    switch (event.kind) {
      case EventKind::kAlloc: return "allocate";
      case EventKind::kFree: return "free";
      case EventKind::kSet: return "fill";
      case EventKind::kSync:
        if ((event.flags & kAsync) != 0) return "ask";
        return event.sync == SyncScope::kDevice ? "wait for the device" : "wait";
      case EventKind::kLaunch: return kernel_name(event.name);
      case EventKind::kCopy:
        if (event.device < 0) return "download";
        return event.source_device < 0 ? "upload" : "copy";
      default: return {};
    }
  }

  void slice(const Track& track, const std::string& name, std::uint64_t begin, std::uint64_t end,
             Json args) {
    put(track, Json{{"ph", "X"},
                    {"name", name},
                    {"ts", microseconds(begin)},
                    {"dur", microseconds(end > begin ? end - begin : 0)},
                    {"args", std::move(args)}});
  }
  void arrow(const char* phase, const char* name, std::uint64_t id, const Track& track,
             std::uint64_t at) {
    Json json{
        {"ph", phase}, {"name", name}, {"cat", name}, {"id", base_ + id}, {"ts", microseconds(at)}};
    if (*phase == 'f') json["bp"] = "e";  // to the slice around it, not to the next one
    put(track, std::move(json));
  }
  void put(const Track& track, Json json) {
    tracks_.insert(track);
    json["pid"] = track.process;
    json["tid"] = track.thread;
    file_.add(json);
  }

  void name_tracks() {
    std::set<std::int64_t> processes;
    for (const Track& track : tracks_) {
      const std::int64_t kind = track.process - base_;
      if (processes.insert(track.process).second) label(track, "process_name", group_name(kind));
      label(track, "thread_name", track_name(kind, track.thread));
    }
  }
  void label(const Track& track, const char* what, const std::string& text) {
    file_.add({{"ph", "M"},
               {"name", what},
               {"pid", track.process},
               {"tid", track.thread},
               {"args", {{"name", text}}}});
  }
  std::string group_name(std::int64_t kind) const {
    if (kind == kFindings) return "findings";
    if (kind != 0) return device_name(static_cast<std::int16_t>(kind - 1));
    const std::vector<std::string> words = trace_.command_line();
    return words.empty() ? "program" : words.front();
  }
  std::string track_name(std::int64_t kind, std::uint64_t thread) const {
    if (kind == kFindings) return slug_of(examined_.findings[thread].finding);
    return (kind == 0 ? "host thread " : "stream ") + std::to_string(thread);
  }
  static std::string slug_of(const Finding& finding) {
    return std::string(info(finding.rule).slug);
  }

  TimelineFile& file_;
  const std::int64_t base_;
  Trace& trace_;
  const Examined examined_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::size_t> first_calls_;  // time and site
  std::map<std::uint32_t, std::string> kernels_;                                // by name
  Remembered<std::uint64_t, Call> pending_{kMaxPending};
  std::map<Track, std::multimap<std::uint64_t, DeviceWork>> works_;  // by begin
  std::map<Track, std::uint64_t> shown_until_;
  std::map<std::uint32_t, std::vector<OpenScope>> scopes_;  // that are open, by thread
  std::set<Track> tracks_;
  std::uint64_t last_ns_ = 0;
};

}  // namespace

void write_perfetto(const std::vector<std::filesystem::path>& traces,
                    const ReportBuilderOptions& options, std::ostream& out) {
  TimelineFile file(out);
  int index = 0;
  for (const std::filesystem::path& path : traces) {
    Examined result = examine(*open_trace(path), options);
    const std::unique_ptr<Trace> trace = open_trace(path);
    TraceTimeline(file, index++, *trace, std::move(result)).write();
  }
  file.end();
}

}  // namespace xfer
