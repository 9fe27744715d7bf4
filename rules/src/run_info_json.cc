#include <array>
#include <utility>

#include "json.h"
#include "json_node.h"
#include "xfer/rules/run_info.h"

namespace xfer {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<DeviceKind, std::string_view>, 3> kDevices{
    {{DeviceKind::kNotRecorded, "not recorded"},
     {DeviceKind::kReal, "real"},
     {DeviceKind::kEmulated, "emulated"}}};

constexpr std::array<std::pair<Untraced, std::string_view>, 5> kUntraced{
    {{Untraced::kNo, "no"},
     {Untraced::kNoCudaCall, "no CUDA call"},
     {Untraced::kNoGpu, "no GPU"},
     {Untraced::kTracerFailed, "the tracer could not start"},
     {Untraced::kSwitchedOff, "switched off"}}};

template <typename Value, std::size_t N>
std::string name_of(const std::array<std::pair<Value, std::string_view>, N>& names, Value value) {
  for (const auto& [candidate, name] : names)
    if (candidate == value) return std::string(name);
  return {};
}

template <typename Value, std::size_t N>
Value named(const std::array<std::pair<Value, std::string_view>, N>& names, const Node& node) {
  const std::string text = node.string();
  for (const auto& [value, name] : names)
    if (name == text) return value;
  node.fail("\"" + text + "\" is not known");
}

Json of_notices(const RunInfo& run) {
  Json list = Json::array();
  for (const RunNotice& notice : notices(run))
    list.push_back({{"text", notice.text}, {"next", text_or_null(notice.next)}});
  return list;
}

Json of_devices(const RunInfo& run) {
  return {{"kind", name_of(kDevices, run.device)},
          {"count", run.device_count},
          {"names", run.device_names},
          {"driver", text_or_null(run.driver)},
          {"times_modelled", run.modelled()}};
}

void add_trace(const RunInfo& run, Json& json) {
  json["devices"] = of_devices(run);
  json["exit_code"] = number_or_null(run.exit_code);
  json["signal"] = number_or_null(run.signal);
  json["signal_name"] = run.signal ? Json(signal_name(*run.signal)) : Json(nullptr);
  json["recorded_by"] = text_or_null(run.recorded_by);
  json["host"] = text_or_null(run.host);
  json["rank"] = number_or_null(run.rank);
  json["world_size"] = number_or_null(run.world_size);
  json["launched_by"] = text_or_null(run.launched_by);
  json["cuda_calls"] = number_or_null(run.cuda_calls);
  json["untraced"] = name_of(kUntraced, run.untraced);
  json["tracer_problem"] = text_or_null(run.tracer_problem);
  json["static_runtime"] = run.static_runtime;
  json["breaks_off"] = run.breaks_off;
  json["kernels"] = text_or_null(run.kernels);
  json["not_run"] = run.not_run;
}

int small_number(const Node& node) { return static_cast<int>(node.number(0x7FFFFFFF)); }

std::vector<std::string> read_texts(const Node& node, const char* key) {
  std::vector<std::string> texts;
  if (node.has(key)) node.at(key).each([&](const Node& text) { texts.push_back(text.string()); });
  return texts;
}

void read_devices(const Node& node, RunInfo& run) {
  node.expect_object();
  run.device = named(kDevices, node.at("kind"));
  if (node.has("count")) run.device_count = node.at("count").number();
  run.device_names = read_texts(node, "names");
  if (node.has("driver")) run.driver = node.at("driver").string();
}

std::uint64_t read_start(const Node& node) {
  node.expect_object();
  return node.at("ns").number();
}

}  // namespace

Json to_json(const RunInfo& run) {
  const bool lint = run.kind == RunKind::kLint;
  Json json{{"kind", lint ? "lint" : "trace"},
            {"tool", run.tool},
            {"version", text_or_null(run.version)},
            {"command", run.command},
            {"project", text_or_null(run.project)},
            {"working_directory", text_or_null(run.working_directory)},
            {"start", nullptr},
            {"machine", {{"cpu", text_or_null(run.cpu)}, {"os", text_or_null(run.os)}}},
            {"program_was_run", !lint}};
  if (run.start_ns != 0) json["start"] = {{"utc", iso_date(run.start_ns)}, {"ns", run.start_ns}};
  if (lint) {
    json["files"] = run.files;
    json["not_parsed"] = run.not_parsed;
  } else {
    add_trace(run, json);
  }
  json["notices"] = of_notices(run);
  return json;
}

// The notices follow from the rest.
RunInfo read_run(const Node& node) {
  node.expect_object();
  RunInfo run;
  const auto text = [&](const char* key, std::string& to) {
    if (node.has(key)) to = node.at(key).string();
  };
  run.kind = node.at("kind").string() == "lint" ? RunKind::kLint : RunKind::kTrace;
  run.tool = node.at("tool").string();
  text("version", run.version);
  run.command = read_texts(node, "command");
  text("project", run.project);
  text("working_directory", run.working_directory);
  if (node.has("start")) run.start_ns = read_start(node.at("start"));
  if (node.has("machine")) {
    const Node machine = node.at("machine");
    machine.expect_object();
    if (machine.has("cpu")) run.cpu = machine.at("cpu").string();
    if (machine.has("os")) run.os = machine.at("os").string();
  }
  if (node.has("devices")) read_devices(node.at("devices"), run);
  if (node.has("exit_code")) run.exit_code = small_number(node.at("exit_code"));
  if (node.has("signal")) run.signal = small_number(node.at("signal"));
  text("recorded_by", run.recorded_by);
  text("host", run.host);
  if (node.has("rank")) run.rank = small_number(node.at("rank"));
  if (node.has("world_size")) run.world_size = small_number(node.at("world_size"));
  text("launched_by", run.launched_by);
  if (node.has("cuda_calls")) run.cuda_calls = node.at("cuda_calls").number();
  if (node.has("untraced")) run.untraced = named(kUntraced, node.at("untraced"));
  text("tracer_problem", run.tracer_problem);
  run.static_runtime = node.has("static_runtime") && node.at("static_runtime").boolean();
  run.breaks_off = node.has("breaks_off") && node.at("breaks_off").boolean();
  text("kernels", run.kernels);
  run.not_run = read_texts(node, "not_run");
  if (node.has("files")) run.files = node.at("files").number();
  run.not_parsed = read_texts(node, "not_parsed");
  return run;
}

}  // namespace xfer
