#include "trace_stats.h"

#include <algorithm>
#include <iterator>

#include "detect/transfer.h"
#include "function_name.h"
#include "metadata_number.h"

namespace xfer {
namespace {

// Of the tracer's own account, as far as the trace has it.
void add_content(const Trace& trace, nlohmann::ordered_json& stats) {
  for (const char* name :
       {"read_bytes", "read_ns", "skipped_copies", "skipped_bytes", "unsearched_uploads"})
    if (const auto value = metadata_number<std::uint64_t>(trace, std::string("content.") + name))
      stats["content"][name] = *value;
}

// Of scopes in which nothing was done, many are counted alone.
void add_unwritten_scopes(const Trace& trace, nlohmann::ordered_json& stats) {
  constexpr std::string_view kPrefix = "scope.unwritten.";
  const auto scopes = stats.find("scopes");
  if (scopes == stats.end()) return;
  for (auto entry = trace.metadata().lower_bound(std::string(kPrefix));
       entry != trace.metadata().end() && entry->first.starts_with(kPrefix); ++entry) {
    const auto scope = scopes->find(entry->first.substr(kPrefix.size()));
    if (scope == scopes->end()) continue;
    auto& count = (*scope)["count"];
    count = count.get<std::uint64_t>() +
            metadata_number<std::uint64_t>(trace, entry->first).value_or(0);
  }
}

constexpr std::size_t kMostUploads = std::size_t{1} << 16;  // lines and sizes

bool is_cuda_call(EventKind kind) {
  return is_call(kind) && kind != EventKind::kLaunchArg && kind != EventKind::kHostAccess &&
         kind != EventKind::kScopeBegin && kind != EventKind::kScopeEnd;
}

}  // namespace

RunPicture::Doing TraceStats::doing(Work work) {
  switch (work) {
    case kHostToDevice: return RunPicture::kUpload;
    case kDeviceToHost: return RunPicture::kDownload;
    case kLaunches: return RunPicture::kKernel;
    case kFill: return RunPicture::kFill;
    default: return RunPicture::kCopy;
  }
}

void TraceStats::add(const Event& event) {
  if (event.kind == EventKind::kDropped) {
    dropped_ += event.bytes;
    gaps_ = true;
    return;
  }
  ++events_;
  if (is_cuda_call(event.kind)) ++calls_;
  if (event.kind == EventKind::kDeviceTime) return device_time(event);
  if (event.begin_ns != 0) {
    first_ns_ = std::min(first_ns_, event.begin_ns);
    last_ns_ = std::max(last_ns_, event.end_ns);
  }
  if ((event.flags & kFailed) != 0) {
    ++failed_;
    return;
  }
  if ((event.flags & kCaptured) != 0) {
    ++captured_;
    return;
  }
  const auto count = [&](Sum& sum) {
    ++sum.count;
    sum.bytes += event.bytes;
    sum.host_ns += duration_ns(event);
  };
  const auto work = [&](Work kind) {
    count(sums_[kind]);
    const std::int16_t device = event.device >= 0 ? event.device : event.source_device;
    by_correlation_.put(event.correlation, {kind,
                                            event.bytes,
                                            {std::max<std::int32_t>(device, 0), event.stream},
                                            kind == kLaunches ? event.name : 0});
    draw(event, doing(kind));
  };
  count_in_scopes(event);
  switch (event.kind) {
    case EventKind::kCopy:
      work(static_cast<Work>(direction_of(event)));
      if (direction_of(event) == Direction::kHostToDevice && uploads_.size() < kMostUploads)
        ++uploads_[{event.site, event.bytes}];
      break;
    case EventKind::kSet: work(kFill); break;
    case EventKind::kLaunch:
      work(kLaunches);
      if ((event.flags & kSkipped) != 0) ++skipped_[event.name];
      break;
    case EventKind::kSync:
      if (!is_wait(event)) break;
      count(syncs_);
      draw(event, RunPicture::kWait);
      break;
    case EventKind::kAlloc:
      if (is_device_allocation(event)) count(allocations_);
      [[fallthrough]];
    case EventKind::kFree:
      if ((event.flags & kSuballocation) == 0) draw(event, RunPicture::kMemory);
      break;
    default: break;
  }
}

void TraceStats::device_time(const Event& event) {
  const Called* const call = by_correlation_.find(event.correlation);
  if (call == nullptr) return;
  const std::uint64_t ns = duration_ns(event);
  // A graph has many kernels, whose times tell their names.
  const bool is_kernel = call->work == kLaunches && event.source_space == Space::kUnknown;
  use_.add(call->lane.device, {event.begin_ns, event.end_ns},
           !is_kernel        ? 0
           : event.name != 0 ? event.name
                             : call->kernel);
  if (event.source_space != Space::kUnknown) {
    const Work copy = static_cast<Work>(direction_of(event));
    for (Sum* sum : {&sums_[copy], &graph_copies_}) {
      ++sum->count;
      sum->bytes += event.bytes;
      sum->device_ns += ns;
    }
    picture_.add(call->lane, doing(copy), event.begin_ns, event.end_ns);
    return;
  }
  Sum& sum = sums_[call->work];
  sum.device_ns += ns;
  picture_.add(call->lane, doing(call->work), event.begin_ns, event.end_ns);
  if (call->work < kFill && call->bytes >= kLargeCopy && ns != 0) {
    const double rate = static_cast<double>(call->bytes) * 1e9 / static_cast<double>(ns);
    sum.best_bytes_per_s = std::max(sum.best_bytes_per_s, static_cast<std::uint64_t>(rate));
  }
}

TraceStats::Sum TraceStats::same_size_uploads() const {
  constexpr std::uint64_t kLeastTimes = 3;
  constexpr std::uint64_t kLeastBytes = 4096;
  Sum sum;
  for (const auto& [key, times] : uploads_)
    if (times >= kLeastTimes && key.second >= kLeastBytes) {
      sum.count += times;
      sum.bytes += times * key.second;
    }
  return sum;
}

void TraceStats::draw(const Event& event, RunPicture::Doing doing) {
  if (event.begin_ns == 0) return;
  picture_.add({-1, event.thread}, doing, event.begin_ns, event.end_ns);
}

void TraceStats::Series::add(const Tally& tally) {
  if (bars.empty() || in_last == instances_per_bar) {
    if (bars.size() == kMostBars) {
      for (std::size_t i = 0; i < kMostBars / 2; ++i)
        bars[i] = {bars[2 * i].h2d_bytes + bars[2 * i + 1].h2d_bytes,
                   bars[2 * i].d2h_bytes + bars[2 * i + 1].d2h_bytes};
      bars.resize(kMostBars / 2);
      instances_per_bar *= 2;
    }
    bars.emplace_back();
    in_last = 0;
  }
  ++in_last;
  bars.back().h2d_bytes += tally.of[Tally::kH2dBytes];
  bars.back().d2h_bytes += tally.of[Tally::kD2hBytes];
}

void TraceStats::count_in_scopes(const Event& event) {
  if (event.kind == EventKind::kScopeBegin) {
    open_[event.thread].push_back({event.name, event.event_id, {}});
    return;
  }
  if (event.kind == EventKind::kScopeEnd) return end_scope(event);
  const auto open = open_.find(event.thread);
  if (open == open_.end()) return;
  for (OpenScope& scope : open->second) scope.sums.add(event);
}

void TraceStats::end_scope(const Event& event) {
  const auto open = open_.find(event.thread);
  if (open == open_.end()) return;
  const auto found =
      std::find_if(open->second.rbegin(), open->second.rend(),
                   [&](const OpenScope& scope) { return scope.id == event.event_id; });
  if (found == open->second.rend()) return;
  const OpenScope& ended = *found;
  ScopeTotal& total = scopes_[ended.name];
  ++total.count;
  total.series.add(ended.sums);
  for (std::size_t i = 0; i < Tally::kAll; ++i) {
    total.sum.of[i] += ended.sums.of[i];
    total.most.of[i] = std::max(total.most.of[i], ended.sums.of[i]);
  }
  open->second.erase(std::next(found).base());
  if (open->second.empty()) open_.erase(open);
}

nlohmann::ordered_json TraceStats::to_json(const Trace& trace) const {
  using Json = nlohmann::ordered_json;
  const auto sum = [](const Sum& of, bool bytes, bool device) {
    Json json{{"count", of.count}};
    if (bytes) json["bytes"] = of.bytes;
    json["host_ns"] = of.host_ns;
    if (device) json["device_ns"] = of.device_ns;
    if (of.best_bytes_per_s != 0) json["best_bytes_per_s"] = of.best_bytes_per_s;
    return json;
  };
  Json stats;
  Json program = Json::array();
  for (const std::string& argument : trace.command_line()) program.push_back(argument);
  stats["program"] = std::move(program);
  if (const auto id = trace.metadata().find("process_id"); id != trace.metadata().end())
    stats["process_id"] = id->second;
  stats["run_ns"] = last_ns_ > first_ns_ ? last_ns_ - first_ns_ : 0;
  Json copies;
  for (std::size_t i = kHostToDevice; i <= kOtherCopy; ++i)
    if (sums_[i].count != 0 || i <= kDeviceToHost)
      copies[std::string(name(static_cast<Direction>(i)))] = sum(sums_[i], true, true);
  stats["copies"] = std::move(copies);
  stats["fills"] = sum(sums_[kFill], true, true);
  stats["launches"] = sum(sums_[kLaunches], false, true);
  stats["syncs"] = sum(syncs_, false, false);
  stats["allocations"] = sum(allocations_, true, false);
  if (!skipped_.empty()) {
    // A kernel's instances share a name once their parameters are gone.
    std::map<std::string, std::uint64_t> by_name;
    for (const auto& [name, times] : skipped_) {
      const std::string text = function_name(std::string(trace.string(name)).c_str());
      by_name[text.empty() ? "?" : text] += times;
    }
    stats["skipped_kernels"] = by_name;
  }
  if (const auto report = trace.metadata().find("emulated.kernels");
      report != trace.metadata().end())
    if (Json kernels = Json::parse(report->second, nullptr, false); kernels.is_object())
      stats["kernels"] = std::move(kernels);
  for (const auto& [name, total] : scopes_) {
    Json& scope = stats["scopes"][std::string(trace.string(name))];
    scope["count"] = total.count;
    for (std::size_t i = 0; i < Tally::kAll; ++i) {
      scope["sum"][Tally::kNames[i]] = total.sum.of[i];
      scope["most"][Tally::kNames[i]] = total.most.of[i];
    }
    Json& series = scope["series"];
    series["instances_per_bar"] = total.series.instances_per_bar;
    for (const Series::Bar& bar : total.series.bars) {
      series["h2d_bytes"].push_back(bar.h2d_bytes);
      series["d2h_bytes"].push_back(bar.d2h_bytes);
    }
  }
  add_unwritten_scopes(trace, stats);
  add_content(trace, stats);
  use_.add_to(stats, trace);
  if (const Sum again = same_size_uploads(); again.count != 0)
    stats["same_size_uploads"] = {{"count", again.count}, {"bytes", again.bytes}};
  stats["picture"] = picture_.to_json();
  stats["calls"] = calls_;
  stats["events"] = events_;
  if (failed_ != 0) stats["failed_calls"] = failed_;
  if (captured_ != 0) stats["captured_calls"] = captured_;
  if (graph_copies_.count != 0)
    stats["graph_copies"] = {{"count", graph_copies_.count}, {"bytes", graph_copies_.bytes}};
  stats["dropped_events"] = dropped_;
  stats["complete"] = trace.complete() && !gaps_;
  return stats;
}

}  // namespace xfer
