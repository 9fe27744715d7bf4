#include "foreign/kineto_reader.h"

#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "foreign/json_text.h"
#include "foreign/kineto_event.h"
#include "xfer/trace.h"

namespace xfer::foreign {
namespace {

/// Follows the text: {"deviceProperties": [{...}], "traceEvents": [{..., "args": {...}}], ...}.
class KinetoHandler {
 public:
  explicit KinetoHandler(Run& run) : run_(run) {}

  bool Null() { return true; }
  bool Bool(bool) { return true; }
  bool Int(int) { return true; }
  bool Uint(unsigned) { return true; }
  bool Int64(std::int64_t) { return true; }
  bool Uint64(std::uint64_t) { return true; }
  bool Double(double) { return true; }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) { return value({text, size}); }
  bool String(const char* text, rapidjson::SizeType size, bool) { return value({text, size}); }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    const std::string_view name(text, size);
    if (in() == In::kEvent || in() == In::kArguments)
      member_ = member_named(name);
    else
      key_ = name;
    return true;
  }
  bool StartObject() {
    switch (in()) {
      case In::kFile: return enter(In::kTop);
      case In::kTop: return enter(key_ == "distributedInfo" ? In::kDistributed : In::kElsewhere);
      case In::kEvents: event_.clear(); return enter(In::kEvent);
      case In::kEvent:
        return enter(member_ == Member::kArguments ? In::kArguments : In::kElsewhere);
      case In::kDevices: return enter(In::kDevice);
      default: return enter(In::kElsewhere);
    }
  }
  bool EndObject(rapidjson::SizeType) {
    if (in() == In::kEvent) {
      add_to(run_, event_);
      ++events_;
    }
    return leave();
  }
  bool StartArray() {
    switch (in()) {
      // The format may leave the object out.
      case In::kFile: return enter(In::kEvents);
      case In::kTop:
        if (key_ == "traceEvents") return enter(In::kEvents);
        return enter(key_ == "deviceProperties" ? In::kDevices : In::kElsewhere);
      default: return enter(In::kElsewhere);
    }
  }
  bool EndArray(rapidjson::SizeType) { return leave(); }

  bool has_events() const { return has_events_; }
  std::uint64_t events() const { return events_; }

 private:
  enum class In : std::uint8_t {
    kFile,
    kTop,
    kEvents,
    kEvent,
    kArguments,
    kDevices,
    kDevice,
    kDistributed,
    kElsewhere
  };

  In in() const { return path_.back(); }
  bool enter(In next) {
    has_events_ |= next == In::kEvents;
    path_.push_back(next);
    return true;
  }
  bool leave() {
    path_.pop_back();
    return true;
  }
  bool value(std::string_view text) {
    switch (in()) {
      case In::kEvent:
      case In::kArguments:
        // An argument called "name" or "ts" is not the event's.
        if ((in() == In::kArguments) == (member_ > Member::kArguments)) event_.set(member_, text);
        break;
      case In::kDevice:
        if (key_ == "name") {
          std::string& names = run_.metadata["gpu.names"];
          names += (names.empty() ? "" : "\n") + std::string(text);
        }
        break;
      case In::kDistributed:
        if (key_ == "rank" || key_ == "world_size") run_.metadata[key_] = text;
        break;
      case In::kTop:
        if (key_ == "host_name" || key_ == "baseTimeNanoseconds") run_.metadata[key_] = text;
        break;
      default: break;
    }
    return true;
  }

  Run& run_;
  std::vector<In> path_{In::kFile};
  std::string key_;
  Member member_ = Member::kOther;
  KinetoEvent event_;
  bool has_events_ = false;
  std::uint64_t events_ = 0;
};

std::string what_is_wrong(const rapidjson::ParseResult& result, const JsonText& text) {
  if (!text.problem().empty()) return text.problem();
  // The end of the text came where a value was to go on.
  if (text.Peek() == '\0') return "is cut off";
  return "is damaged at byte " + std::to_string(result.Offset()) + ": " +
         rapidjson::GetParseError_En(result.Code());
}

/// Times count from the base that newer files name, older ones from 1970.
void set_start(Run& run) {
  std::uint64_t first = UINT64_MAX;
  for (const Call& call : run.calls) first = std::min(first, call.begin_ns);
  for (const Work& work : run.work) first = std::min(first, work.begin_ns);
  if (const auto base = run.metadata.find("baseTimeNanoseconds"); base != run.metadata.end())
    first += std::strtoull(base->second.c_str(), nullptr, 10);
  constexpr std::uint64_t kLongAgo = 1'000'000'000'000'000'000;  // 2001: it counts from elsewhere
  if (first > kLongAgo) run.metadata["start_time_ns"] = std::to_string(first);
}

}  // namespace

Run read_kineto(const std::filesystem::path& path) {
  using namespace rapidjson;
  Run run;
  JsonText text(path);
  KinetoHandler handler(run);
  Reader reader;
  constexpr unsigned kHow = kParseNumbersAsStringsFlag | kParseNanAndInfFlag |
                            kParseTrailingCommasFlag | kParseStopWhenDoneFlag | kParseIterativeFlag;
  const ParseResult result = reader.Parse<kHow>(text, handler);
  if (!handler.has_events())
    throw TraceError(
        path.string() +
        (result.IsError() ? " " + what_is_wrong(result, text) : " has no traceEvents") +
        ": it is no trace of torch.profiler");
  if (result.IsError() || !text.problem().empty())
    run.problems.push_back(path.string() + " " + what_is_wrong(result, text) + "; " +
                           std::to_string(handler.events()) + " events before that are read");
  if (run.calls.empty() && run.work.empty() && !run.problems.empty())
    throw TraceError(run.problems.front());
  if (run.calls.empty() && run.work.empty())
    throw TraceError(
        path.string() +
        " has no GPU activity: profile with ProfilerActivity.CUDA among the activities");
  set_start(run);
  run.metadata["recorded_by"] = "torch.profiler";
  return run;
}

}  // namespace xfer::foreign
