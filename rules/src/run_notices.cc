// The notices about a run, which come before its findings, and the next command to try.

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "text.h"
#include "xfer/rules/run_info.h"

namespace xfer {
namespace {

std::string emulated_command(const RunInfo& run) {
  return "xfertrace --emulate " +
         (run.command.empty() ? std::string("PROGRAM") : command_text(run.command));
}

std::string after_calls(const RunInfo& run) {
  if (run.untraced == Untraced::kNoCudaCall) return " before its first CUDA call";
  if (run.untraced != Untraced::kNo || !run.cuda_calls) return {};
  return *run.cuda_calls == 0 ? " before its first CUDA call"
                              : " after " + plural(*run.cuda_calls, "CUDA call");
}

// Of signals that tell of a fault in the program, where to look for it.
std::string after_signal(const RunInfo& run) {
  switch (*run.signal) {
    case SIGSEGV:
    case SIGBUS:
    case SIGABRT:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP:
    case SIGSYS: {
      const std::string program = command_text(run.command);
      if (program.empty()) return {};
      const std::string debug = "gdb -batch -ex run -ex bt --args " + program;
      if (!run.modelled()) return debug;
      return fmt::format("xfertrace --emulate={} {}", std::max<std::uint64_t>(run.device_count, 1),
                         debug);
    }
    case SIGKILL: return "dmesg | tail (the kernel kills a process that takes too much memory)";
    case SIGXCPU:
    case SIGXFSZ: return "ulimit -a (a limit of this shell was exceeded)";
    default: return {};
  }
}

RunNotice of_no_gpu(const RunInfo& run) {
  std::string text =
      "there is no GPU here, and the program ran without emulated devices: nothing was traced";
  if (!run.static_runtime) return {std::move(text), emulated_command(run)};
  return {text +
              "; emulated devices need the shared CUDA runtime, or symbols: this program links the "
              "runtime statically and was stripped",
          "nvcc -cudart shared (to link the program again), then " + emulated_command(run)};
}

RunNotice of_no_call(const RunInfo& run) {
  constexpr const char* kText = "no CUDA call was seen: nothing was traced";
  if (run.modelled())
    return {kText,
            "check that the run reaches its GPU code, and that no library of the program links the "
            "CUDA runtime statically (nvcc -cudart shared)"};
  return {kText,
          "check that the run reaches its GPU code; on emulated devices: " + emulated_command(run)};
}

void add_untraced(const RunInfo& run, std::vector<RunNotice>& notices) {
  switch (run.untraced) {
    case Untraced::kNo:
      if (run.cuda_calls == 0 && !run.signal && !run.breaks_off)
        notices.push_back({"the program started CUDA, but allocated, copied and launched nothing",
                           "check that the run reaches its GPU code"});
      break;
    case Untraced::kNoCudaCall:
      if (!run.signal) notices.push_back(of_no_call(run));
      break;
    case Untraced::kNoGpu: notices.push_back(of_no_gpu(run)); break;
    case Untraced::kTracerFailed:
      notices.push_back({"nothing was traced: " + run.tracer_problem, ""});
      break;
    case Untraced::kSwitchedOff:
      notices.push_back({"nothing was traced: XFERCHECK_OPTIONS has enabled=0",
                         "leave enabled=0 out of XFERCHECK_OPTIONS"});
      break;
  }
}

void add_end(const RunInfo& run, std::vector<RunNotice>& notices) {
  if (run.signal) {
    const bool some = run.untraced == Untraced::kNo && run.cuda_calls.value_or(1) != 0;
    notices.push_back({"the program was " + end_text(run) + after_calls(run) +
                           (some ? "; the findings cover the run up to that point" : ""),
                       after_signal(run)});
  } else if (run.exit_code.value_or(0) != 0) {
    notices.push_back({"the program ended with " + end_text(run) +
                           (run.untraced == Untraced::kNo ? after_calls(run) : ""),
                       "", true});
  } else if (run.breaks_off && !run.exit_code) {
    notices.push_back(
        {"the trace breaks off: the program was killed, or still runs; the findings cover the run "
         "up to that point",
         ""});
  }
}

}  // namespace

std::vector<RunNotice> notices(const RunInfo& run) {
  std::vector<RunNotice> notices;
  if (run.kind == RunKind::kLint) {
    if (const std::size_t bad = run.not_parsed.size(); bad != 0)
      notices.push_back(
          {fmt::format("{} of {} did not parse, so findings may be missing: {}{}", bad,
                       plural(run.files, "file"), run.not_parsed.front(), bad == 1 ? "" : ", ..."),
           ""});
    return notices;
  }
  add_untraced(run, notices);
  add_end(run, notices);
  return notices;
}

}  // namespace xfer
