#include "run_record.h"

#include "program_check.h"
#include "xfer/rules/machine.h"
#include "xfer/trace_append.h"
#include "xfer/trace_writer.h"

namespace xfer::launcher {
namespace {

namespace fs = std::filesystem;

TraceMetadata end_of(const Ended& ended) {
  if (ended.signal != 0) return {{"signal", std::to_string(ended.signal)}};
  return {{"exit_code", std::to_string(ended.exit_code)}};
}

// PID.xft; after an exec PID.2.xft and so on.
bool is_of(const fs::path& trace, int process) {
  const std::string name = trace.filename().string();
  return name.starts_with(std::to_string(process) + '.');
}

std::string with_end(const LaunchedRun& run) {
  RunInfo ended;
  if (run.ended.signal != 0)
    ended.signal = run.ended.signal;
  else
    ended.exit_code = run.ended.exit_code;
  return command_text(run.command) + " (" + end_text(ended) + ")";
}

const char* why_untraced(const LaunchedRun& run, bool has_gpu) {
  if (!run.enabled) return "switched off";
  return run.emulated == 0 && !has_gpu ? "no GPU" : "no CUDA call";
}

}  // namespace

void record_end(const std::vector<fs::path>& traces, const LaunchedRun& run) {
  for (const fs::path& trace : traces)
    append_metadata(trace, is_of(trace, run.ended.process)
                               ? end_of(run.ended)
                               : TraceMetadata{{"launched_by", with_end(run)}});
}

fs::path record_untraced(const fs::path& folder, const LaunchedRun& run) {
  const fs::path path = folder / (std::to_string(run.ended.process) + ".xft");
  TraceWriterOptions options;
  options.flush_interval_ms = 0;
  const auto writer = TraceWriter::open(path.c_str(), options);
  if (writer == nullptr) return {};
  const Machine machine = this_machine();
  std::string command;
  for (const std::string& word : run.command) command += word + '\0';
  TraceMetadata metadata = end_of(run.ended);
  metadata.insert(metadata.end(),
                  {{"command_line", command},
                   {"process_id", std::to_string(run.ended.process)},
                   {"start_time_ns", std::to_string(run.start_ns)},
                   {"machine.cpu", machine.cpu},
                   {"machine.os", machine.os},
                   {"untraced", why_untraced(run, machine.has_gpu)},
                   {"static_runtime", has_sealed_runtime(run.command.front()) ? "1" : "0"}});
  std::string names;
  for (const std::string& name : machine.gpus) names += (names.empty() ? "" : "\n") + name;
  if (run.emulated != 0)
    metadata.insert(metadata.end(),
                    {{"emulated", "1"}, {"emulated.devices", std::to_string(run.emulated)}});
  else if (machine.has_gpu)
    metadata.insert(metadata.end(),
                    {{"emulated", "0"}, {"gpu.names", names}, {"gpu.driver", machine.driver}});
  for (const auto& [key, value] : metadata) writer->set_metadata(key, value);
  writer->close();
  return path;
}

}  // namespace xfer::launcher
