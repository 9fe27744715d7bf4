#include "recorded_run.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

#include "metadata_number.h"

namespace xfer {
namespace {

using Json = nlohmann::ordered_json;

std::string text(const Trace& trace, std::string_view key) {
  const auto found = trace.metadata().find(key);
  return found == trace.metadata().end() ? std::string() : found->second;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    result.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

Untraced untraced(const Trace& trace) {
  const std::string why = text(trace, "untraced");
  if (why == "no CUDA call") return Untraced::kNoCudaCall;
  if (why == "no GPU") return Untraced::kNoGpu;
  if (why == "switched off") return Untraced::kSwitchedOff;
  return text(trace, "tracer_problem").empty() ? Untraced::kNo : Untraced::kTracerFailed;
}

void add_devices(const Trace& trace, RunInfo& run) {
  const std::string emulated = text(trace, "emulated");
  if (emulated.empty()) return;
  run.device = emulated == "0" ? DeviceKind::kReal : DeviceKind::kEmulated;
  if (run.modelled()) {
    run.device_count = metadata_number<std::uint64_t>(trace, "emulated.devices").value_or(0);
    return;
  }
  run.device_names = lines(text(trace, "gpu.names"));
  run.device_count = run.device_names.size();
  run.driver = text(trace, "gpu.driver");
}

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return std::to_string(count) + (count == 1 ? one : many);
}

/// The kernels with most launches, by name.
std::string name_some(const Json& kernels) {
  constexpr std::size_t kNamed = 8;
  std::vector<std::pair<std::uint64_t, std::string>> most;
  for (const auto& [name, count] : kernels.items())
    most.emplace_back(count.get<std::uint64_t>(), name);
  std::ranges::stable_sort(most, std::greater<>(), [](const auto& kernel) { return kernel.first; });
  std::string text;
  for (std::size_t i = 0; i < std::min(most.size(), kNamed); ++i)
    text += (i == 0 ? ": " : ", ") + most[i].second;
  if (most.size() > kNamed) text += " and " + std::to_string(most.size() - kNamed) + " more";
  return text;
}

std::uint64_t count(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

// How emulated devices ran the kernels; empty: not recorded, or there were none.
std::string kernels_text(const Json& stats) {
  const auto kernels = stats.find("kernels");
  if (kernels == stats.end()) return {};
  const std::uint64_t executed = count(*kernels, "executed");
  const std::uint64_t approximate = count(*kernels, "approximate");
  const std::uint64_t skipped = count(*kernels, "skipped");
  if (executed + skipped == 0) return {};
  std::string text = std::to_string(executed) + " executed";
  if (approximate != 0)
    text += ", " + std::to_string(approximate) +
            " with instructions whose last bits may differ from a GPU's";
  return text + (skipped != 0 ? ", " + std::to_string(skipped) + " skipped" : "");
}

/// Of kernels, PyTorch's operators among them, that ran and could not compute; empty: none.
std::string failed_text(const Json& stats) {
  const auto kernels = stats.find("kernels");
  if (kernels == stats.end() || !kernels->contains("kernels")) return {};
  std::uint64_t calls = 0;
  std::map<std::string, std::uint64_t> names;
  for (const Json& kernel : kernels->at("kernels"))
    if (const std::uint64_t failed = count(kernel, "failed"); failed != 0) {
      calls += failed;
      names[kernel.value("name", "?")] += failed;
    }
  if (calls == 0) return {};
  return counted(calls, " call of an operator was not computed; its result reads",
                 " calls of operators were not computed; their results read") +
         " as zeros, or NaN" + name_some(names);
}

// Work that the emulator did not do, and events that the tracer lost.
std::vector<std::string> left_out(const Trace& trace, const Json& stats) {
  std::vector<std::string> list;
  if (const auto kernels = stats.find("skipped_kernels"); kernels != stats.end()) {
    std::uint64_t launches = 0;
    for (const auto& [name, count] : kernels->items()) launches += count.get<std::uint64_t>();
    list.push_back(counted(launches, " kernel launch was not executed; its outputs hold old data",
                           " kernel launches were not executed; their outputs hold old data") +
                   " (" + counted(kernels->size(), " kernel", " kernels") +
                   // A program that ends by itself has printed them.
                   (metadata_number<int>(trace, "signal") ? name_some(*kernels) : "") + ")");
  }
  if (const std::string failed = failed_text(stats); !failed.empty()) list.push_back(failed);
  if (const auto dropped = stats.value("dropped_events", std::uint64_t{0}); dropped != 0)
    list.push_back(counted(dropped, " event was dropped", " events were dropped") +
                   ": findings may be missing");
  if (const auto calls = metadata_number<std::uint64_t>(trace, "unmodelled_calls").value_or(0);
      calls != 0)
    list.push_back(counted(calls, " call that moves data is", " calls that move data are") +
                   " of a kind that is not traced");
  if (const auto lost = metadata_number<std::uint64_t>(trace, "activity_records_lost").value_or(0);
      lost != 0)
    list.push_back("CUPTI lost " + counted(lost, " record", " records") + " of device times");
  if (const auto failed = stats.value("failed_calls", std::uint64_t{0}); failed != 0)
    list.push_back(counted(failed, " CUDA call failed", " CUDA calls failed") +
                   " in the program and did nothing");
  for (std::string& line : lines(text(trace, "left_out"))) list.push_back(std::move(line));
  if (!text(trace, "recorded_by").empty()) {
    list.push_back(
        "the trace has no contents and addresses of copies: implicit-transfer, repeated-transfer, "
        "round-trip, unused-transfer, leak, and the rules about wrong accesses need a run under "
        "xfertrace");
    if (const auto again = stats.find("same_size_uploads"); again != stats.end())
      list.push_back(counted(again->value("count", std::uint64_t{0}), " upload", " uploads") +
                     " (" + format_bytes(again->value("bytes", std::uint64_t{0})) +
                     ") are of one size and one place each, three and more: only a run under "
                     "xfertrace tells whether they bring the same again");
  }
  if (const auto problems = stats.find("problems"); problems != stats.end())
    for (const Json& problem : *problems) list.push_back(problem.get<std::string>());
  return list;
}

}  // namespace

bool is_emulated(const Trace& trace) {
  const std::string emulated = text(trace, "emulated");
  return !emulated.empty() && emulated != "0";
}

RunInfo recorded_run(const Trace& trace, const Json& stats, const std::string& project) {
  RunInfo run = new_run(RunKind::kTrace, "xfertrace");
  run.command = trace.command_line();
  run.project = project;
  run.working_directory = text(trace, "working_directory");
  run.start_ns = metadata_number<std::uint64_t>(trace, "start_time_ns").value_or(0);
  run.cpu = text(trace, "machine.cpu");
  run.os = text(trace, "machine.os");
  add_devices(trace, run);
  run.exit_code = metadata_number<int>(trace, "exit_code");
  run.signal = metadata_number<int>(trace, "signal");
  run.recorded_by = text(trace, "recorded_by");
  run.host = text(trace, "host_name");
  run.rank = metadata_number<int>(trace, "rank");
  run.world_size = metadata_number<int>(trace, "world_size");
  run.launched_by = text(trace, "launched_by");
  run.cuda_calls = stats.value("calls", std::uint64_t{0});
  run.untraced = untraced(trace);
  run.tracer_problem = text(trace, "tracer_problem");
  run.static_runtime = text(trace, "static_runtime") == "1";
  run.breaks_off = !trace.complete();
  run.kernels = kernels_text(stats);
  run.not_run = left_out(trace, stats);
  return run;
}

}  // namespace xfer
