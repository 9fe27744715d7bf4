#pragma once
// A report's facts about a run: which program, where, when, on what machine and devices, how it
// ended, and what was left out. The tool that ran makes it once, and every writer shows it. A field
// that is empty was not recorded.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace xfer {

enum class RunKind { kTrace, kLint };
enum class DeviceKind { kNotRecorded, kReal, kEmulated };

/// Why a run of a program gave no events.
enum class Untraced { kNo, kNoCudaCall, kNoGpu, kTracerFailed, kSwitchedOff };

struct RunInfo {
  RunKind kind = RunKind::kTrace;
  std::string tool;
  std::string version;               ///< of the tool that made the report
  std::vector<std::string> command;  ///< the program with its arguments
  std::string project;               ///< the folder that paths of findings are relative to
  std::string working_directory;
  std::uint64_t start_ns = 0;  ///< since 1970, UTC
  std::string cpu;
  std::string os;

  // Of a traced program.
  DeviceKind device = DeviceKind::kNotRecorded;
  std::uint64_t device_count = 0;
  std::vector<std::string> device_names;
  std::string driver;
  std::optional<int> exit_code;
  std::optional<int> signal;  ///< that killed it
  std::string recorded_by;    ///< the tool that recorded the trace, when it is another one
  std::string host;           ///< the machine's name
  std::optional<int> rank;    ///< among the processes of a distributed job
  std::optional<int> world_size;
  std::string launched_by;  ///< the command that was given to xfertrace, when it is another one
  std::optional<std::uint64_t> cuda_calls;
  Untraced untraced = Untraced::kNo;
  std::string tracer_problem;           ///< why the tracer could not start
  bool static_runtime = false;          ///< linked into the program, which was stripped
  bool breaks_off = false;              ///< the trace has no end
  std::string kernels;                  ///< how emulated devices ran them; empty: not recorded
  std::vector<std::string> not_run;     ///< one sentence each
  std::vector<std::string> not_parsed;  ///< of source files: name and first error
  std::uint64_t files = 0;              ///< that were checked, of a lint run

  bool modelled() const { return device == DeviceKind::kEmulated; }
};

/// A run of `tool`, by this version of it; all else is not recorded.
RunInfo new_run(RunKind kind, std::string tool);

/// A notice that stands before the findings, because they do not mean what they seem to: the
/// program crashed, was not traced, a file did not parse.
struct RunNotice {
  std::string text;
  std::string next;     ///< what to try; may be empty
  bool covers = false;  ///< the findings cover the whole run all the same
};
std::vector<RunNotice> notices(const RunInfo& run);

/// The rows of a table about the run: "project", "/home/me/heat".
struct RunRow {
  std::string label;
  std::string text;
};
std::vector<RunRow> rows(const RunInfo& run);

/// "./app --steps '10 20'", as a shell takes it.
std::string command_text(const std::vector<std::string>& command);
/// "2 emulated devices", "NVIDIA H200, driver 580.65.06".
std::string device_text(const RunInfo& run);
/// "3 of 8"; empty: not recorded.
std::string rank_text(const RunInfo& run);
/// "exit code 3", "killed by SIGSEGV (signal 11)".
std::string end_text(const RunInfo& run);
/// "2026-11-23 20:31:02 UTC"; as SARIF and JSON have it: "2026-11-23T20:31:02Z".
std::string date_text(std::uint64_t ns);
std::string iso_date(std::uint64_t ns);
/// "SIGSEGV"; of one without a name "signal 40".
std::string signal_name(int signal);

nlohmann::ordered_json to_json(const RunInfo& run);

}  // namespace xfer
