#include "xfer/rules/run_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ctime>

#include "text.h"

namespace xfer {
namespace {

constexpr const char* kNotRecorded = "not recorded";
constexpr std::string_view kSafeInShell =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%^";

std::string date(std::uint64_t ns, const char* format) {
  const auto seconds = static_cast<std::time_t>(ns / 1'000'000'000);
  std::tm parts{};
  char text[64];
  if (gmtime_r(&seconds, &parts) == nullptr) return {};
  return {text, std::strftime(text, sizeof(text), format, &parts)};
}

std::string or_not_recorded(std::string text) { return text.empty() ? kNotRecorded : text; }

std::string joined(const std::vector<std::string>& parts, const char* separator) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : separator) + part;
  return text;
}

// Several of one name are counted: "NVIDIA H200 x 8".
std::string counted_names(const std::vector<std::string>& names) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < names.size();) {
    std::size_t next = i;
    while (next < names.size() && names[next] == names[i]) ++next;
    parts.push_back(next - i == 1 ? names[i] : fmt::format("{} x {}", names[i], next - i));
    i = next;
  }
  return joined(parts, ", ");
}

std::string files_text(const RunInfo& run) {
  const std::string checked = plural(run.files, "file") + " checked";
  return run.not_parsed.empty()
             ? checked
             : fmt::format("{}, {} did not parse", checked, run.not_parsed.size());
}

}  // namespace

RunInfo new_run(RunKind kind, std::string tool) {
  RunInfo run;
  run.kind = kind;
  run.tool = std::move(tool);
  run.version = XFER_VERSION;
  return run;
}

std::string command_text(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) {
    if (!text.empty()) text += ' ';
    if (!word.empty() && word.find_first_not_of(kSafeInShell) == std::string::npos) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) c == '\'' ? text += "'\\''" : text += c;
    text += '\'';
  }
  return text;
}

std::string signal_name(int signal) {
  const char* const name = sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : fmt::format("signal {}", signal);
}

std::string date_text(std::uint64_t ns) { return ns == 0 ? "" : date(ns, "%Y-%m-%d %H:%M:%S UTC"); }

std::string iso_date(std::uint64_t ns) { return ns == 0 ? "" : date(ns, "%Y-%m-%dT%H:%M:%SZ"); }

std::string device_text(const RunInfo& run) {
  switch (run.device) {
    case DeviceKind::kNotRecorded: return run.untraced == Untraced::kNoGpu ? "none" : "";
    case DeviceKind::kEmulated:
      return run.device_count == 0 ? "emulated" : plural(run.device_count, "emulated device");
    case DeviceKind::kReal: break;
  }
  const std::string names = counted_names(run.device_names);
  return (names.empty() ? "GPU, name not recorded" : names) +
         (run.driver.empty() ? "" : ", driver " + run.driver);
}

std::string end_text(const RunInfo& run) {
  if (run.signal)
    return fmt::format("killed by {} (signal {})", signal_name(*run.signal), *run.signal);
  return run.exit_code ? fmt::format("exit code {}", *run.exit_code) : "";
}

std::string rank_text(const RunInfo& run) {
  if (!run.rank) return {};
  return std::to_string(*run.rank) +
         (run.world_size ? " of " + std::to_string(*run.world_size) : std::string());
}

namespace {

std::string machine_text(const RunInfo& run) {
  std::string text = run.host;
  for (const std::string* part : {&run.cpu, &run.os})
    if (!part->empty()) text += (text.empty() ? "" : ", ") + *part;
  return text;
}

}  // namespace

std::vector<RunRow> rows(const RunInfo& run) {
  const bool lint = run.kind == RunKind::kLint;
  std::vector<RunRow> rows;
  const auto add = [&](const char* label, std::string text) {
    rows.push_back({label, or_not_recorded(std::move(text))});
  };
  const bool imported = !run.recorded_by.empty();
  if (imported)
    add("recorded by", run.recorded_by);
  else
    add(lint ? "command" : "program", command_text(run.command));
  if (!run.launched_by.empty()) add("started by", run.launched_by);
  if (!rank_text(run).empty()) add("rank", rank_text(run));
  add("project", run.project);
  if (!lint && !run.working_directory.empty() && run.working_directory != run.project)
    add("folder", run.working_directory);
  add("date", date_text(run.start_ns));
  const std::string machine = machine_text(run);
  if (!machine.empty() || !imported) add("machine", machine);
  add("made by", run.tool + (run.version.empty() ? "" : " " + run.version));
  if (lint) {
    if (run.files != 0 || !run.not_parsed.empty()) add("files", files_text(run));
    for (const std::string& file : run.not_parsed) add("not parsed", file);
    add("not run", "nothing was run: the findings are from the source alone");
    return rows;
  }
  const std::string devices = device_text(run);
  add("devices", run.modelled() ? devices + "; times are modelled, not measured" : devices);
  if (!imported) add("end", end_text(run));
  if (run.cuda_calls) add("CUDA calls", std::to_string(*run.cuda_calls));
  if (!run.kernels.empty()) add("kernels", run.kernels);
  for (const std::string& what : run.not_run) add("not covered", what);
  return rows;
}

}  // namespace xfer
