#include "sarif_invocations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace xfer {
namespace {

using Json = nlohmann::ordered_json;

void put_text(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

Json notification(const char* level, const std::string& text) {
  return {{"level", level}, {"message", {{"text", text}}}};
}

// Notes, so that what a person has to know first stands in front of them.
Json notifications(const RunInfo& run) {
  Json list = Json::array();
  for (const RunNotice& notice : notices(run))
    list.push_back(
        notification(notice.covers ? "warning" : "error",
                     notice.next.empty() ? notice.text : notice.text + "; try: " + notice.next));
  for (const std::string& what : run.not_run) list.push_back(notification("note", what));
  for (const std::string& file : run.not_parsed)
    list.push_back(notification("error", "did not parse: " + file));
  if (run.modelled())
    list.push_back(notification("note", "times are those of emulated devices: modelled"));
  return list;
}

Json properties(const RunInfo& run) {
  Json json{{"tool", run.tool}};
  put_text(json, "version", run.version);
  if (run.kind == RunKind::kLint) {
    json["filesChecked"] = run.files;
    json["filesNotParsed"] = run.not_parsed.size();
    json["programWasRun"] = false;
    return json;
  }
  json["device"] = {{"kind", run.device == DeviceKind::kNotRecorded ? "not recorded"
                             : run.modelled()                       ? "emulated"
                                                                    : "real"},
                    {"count", run.device_count},
                    {"names", run.device_names}};
  put_text(json["device"], "driver", run.driver);
  json["timesModelled"] = run.modelled();
  if (run.cuda_calls) json["cudaCalls"] = *run.cuda_calls;
  put_text(json, "kernels", run.kernels);
  json["notRun"] = run.not_run;
  return json;
}

Json invocation(const RunInfo& run) {
  Json json = Json::object();
  if (!run.command.empty()) {
    json["commandLine"] = command_text(run.command);
    json["arguments"] = std::vector<std::string>(run.command.begin() + 1, run.command.end());
    json["executableLocation"] = {{"uri", percent_encoded(run.command.front())}};
  }
  put_text(json, "startTimeUtc", iso_date(run.start_ns));
  if (run.exit_code) json["exitCode"] = *run.exit_code;
  if (run.signal) {
    json["exitSignalName"] = signal_name(*run.signal);
    json["exitSignalNumber"] = *run.signal;
  }
  put_text(json, "machine", run.cpu + (run.cpu.empty() || run.os.empty() ? "" : ", ") + run.os);
  if (!run.working_directory.empty())
    json["workingDirectory"] = {{"uri", "file://" + percent_encoded(run.working_directory)}};
  const std::vector<RunNotice> all = notices(run);
  json["executionSuccessful"] =
      std::all_of(all.begin(), all.end(), [](const RunNotice& notice) { return notice.covers; });
  if (Json list = notifications(run); !list.empty())
    json["toolExecutionNotifications"] = std::move(list);
  json["properties"] = properties(run);
  return json;
}

}  // namespace

std::string percent_encoded(std::string_view path) {
  static constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
  std::string text;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x80 && std::isalnum(byte) != 0) || kPlain.find(c) != std::string_view::npos)
      text += c;
    else
      text += fmt::format("%{:02X}", byte);
  }
  return text;
}

Json sarif_invocations(const std::vector<RunInfo>& runs) {
  Json list = Json::array();
  for (const RunInfo& run : runs) list.push_back(invocation(run));
  if (list.empty()) list.push_back({{"executionSuccessful", true}});
  return list;
}

std::string sarif_project_uri(const std::vector<RunInfo>& runs) {
  if (runs.empty() || !runs.front().project.starts_with('/')) return {};
  const std::string& project = runs.front().project;
  for (const RunInfo& run : runs)
    if (run.project != project) return {};
  return "file://" + percent_encoded(project) + (project.ends_with('/') ? "" : "/");
}

}  // namespace xfer
