#include "traced_run.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

#include "live_check.h"
#include "places.h"
#include "program_check.h"
#include "report_command.h"
#include "run_record.h"
#include "src/user_caches.h"
#include "xfer/options.h"

namespace xfer::launcher {
namespace {

namespace fs = std::filesystem;

constexpr int kNotFound = 127;
constexpr int kNotExecutable = 126;
constexpr int kUsage = 2;

void say(const std::string& line) { std::cerr << "xfertrace: " << line << '\n'; }

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// A folder of its own, removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    if (error)
      throw std::runtime_error("TMPDIR: " + variable("TMPDIR") +
                               " is not a folder; the trace needs one");
    std::string pattern = (parent / "xfertrace-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw std::runtime_error("cannot make a temporary folder " + pattern + ": " +
                               std::strerror(errno) + "; set TMPDIR to a writable folder");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string joined(const std::string& first, const std::string& second, char separator) {
  return second.empty() ? first : first + separator + second;
}

// The dynamic loader splits both lists at these.
void check_loadable(const fs::path& library) {
  if (library.string().find_first_of(" :") != std::string::npos)
    throw std::runtime_error("the path " + library.string() +
                             " has a space or a colon, which LD_PRELOAD cannot take; install "
                             "xfercheck elsewhere");
}

// The last of several values counts; where a quote of the user's is not closed, and takes in all
// that follows it, the first one does.
std::string with_output(const std::string& options, const std::string& path) {
  const char quote = options.find('\'') == std::string::npos ? '\'' : '"';
  const std::string ours = "output=" + (quote + path + quote) + ":report=0:help=0";
  return options.empty() ? ours : ours + ':' + options + ':' + ours;
}

/// Compilers of kernels give PTX for emulated devices, and keep it apart from machine code.
void add_compilers(const fs::path& emulator, Environment& environment) {
  environment.emplace_back("TRITON_PTXAS_PATH", (emulator / "ptxas").string());
  environment.emplace_back("TRITON_PTXAS_BLACKWELL_PATH", (emulator / "ptxas-blackwell").string());
  environment.emplace_back("TRITON_LIBCUDA_PATH", emulator.string());
  // For the device of capability 9.0 that there is by default it would take instructions that no
  // other has, and that are not emulated (wgmma).
  if (variable("TRITON_OVERRIDE_ARCH").empty() &&
      variable("XFERCHECK_OPTIONS").find("emulate_capability=") == std::string::npos)
    environment.emplace_back("TRITON_OVERRIDE_ARCH", "sm89");
  const std::string caches = user_caches(std::getenv("XDG_CACHE_HOME"), std::getenv("HOME"));
  if (variable("CUPY_CACHE_DIR").empty() && !caches.empty())
    environment.emplace_back("CUPY_CACHE_DIR", caches + "/cupy");
}

Environment tracing_environment(const CommandLine& line, const fs::path& traces) {
  const auto library = tracer_library();
  if (!library)
    throw std::runtime_error("libxfertrace.so is not beside xfertrace (in ../" XFER_LIBDIR
                             "); the installation is incomplete");
  check_loadable(*library);
  std::string preload = library->string();
  Environment environment;
  if (line.emulate) {
    const auto folder = emulator_folder();
    if (!folder)
      throw std::runtime_error(
          "--emulate: the emulated CUDA runtime (emulator/libcudart.so.13) is "
          "not there; xfercheck was built without it");
    check_loadable(*folder);
    // Before those that the program brings along, as pip's PyTorch does.
    for (const char* name :
         {"libcudart.so.13", "libcupti.so.13", "libcublas.so.13", "libcublasLt.so.13",
          "libcurand.so.10", "libnccl.so.2", "libxfer_no_cudnn.so"})
      if (fs::exists(*folder / name)) preload += ':' + (*folder / name).string();
    environment.emplace_back("LD_LIBRARY_PATH",
                             joined(folder->string(), variable("LD_LIBRARY_PATH"), ':'));
    environment.emplace_back("XFERCHECK_EMULATE", std::to_string(*line.emulate));
    add_compilers(*folder, environment);
  }
  environment.emplace_back("LD_PRELOAD", joined(preload, variable("LD_PRELOAD"), ':'));
  const std::string injection = variable("CUDA_INJECTION64_PATH");
  if (!injection.empty() && injection != library->string())
    say("CUDA_INJECTION64_PATH was " + injection + "; this run does not load that library");
  environment.emplace_back("CUDA_INJECTION64_PATH", library->string());
  const std::string ranges = variable("NVTX_INJECTION64_PATH");
  if (ranges.empty())
    environment.emplace_back("NVTX_INJECTION64_PATH", library->string());
  else if (ranges != library->string())
    say("NVTX_INJECTION64_PATH is " + ranges +
        "; NVTX ranges go there and are not recorded as scopes");
  // AddressSanitizer ends a program when another library comes before it. Ours takes none of its
  // functions' places.
  const std::string sanitizer = variable("ASAN_OPTIONS");
  if (sanitizer.find("verify_asan_link_order") == std::string::npos)
    environment.emplace_back("ASAN_OPTIONS", joined("verify_asan_link_order=0", sanitizer, ':'));
  // The options were printed here, and not by each process again.
  const std::string options = variable("XFERCHECK_OPTIONS");
  environment.emplace_back("XFERCHECK_OPTIONS", with_output(options, (traces / "%p.xft").string()));
  return environment;
}

// In the order in which the processes started CUDA.
std::vector<fs::path> traces_in(const fs::path& folder) {
  std::vector<fs::path> traces;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".xft") traces.push_back(entry.path());
  std::sort(traces.begin(), traces.end(), [](const fs::path& a, const fs::path& b) {
    std::error_code ignored;
    const auto first = fs::last_write_time(a, ignored);
    const auto second = fs::last_write_time(b, ignored);
    return first != second ? first < second : a < b;
  });
  return traces;
}

// The first trace gets the name, those of further processes add their process's number to it.
std::vector<fs::path> keep(const std::vector<fs::path>& traces, const fs::path& record) {
  std::vector<fs::path> kept;
  for (const fs::path& trace : traces) {
    fs::path target = record;
    if (!kept.empty()) {
      target.replace_extension();
      target += "." + trace.stem().string() + record.extension().string();
    }
    std::error_code error;
    fs::copy_file(trace, target, fs::copy_options::overwrite_existing, error);
    if (error)
      throw std::runtime_error("--record: " + target.string() +
                               " cannot be written: " + error.message());
    kept.push_back(target);
  }
  return kept;
}

int cannot_start(const std::string& program, int error) {
  std::error_code ignored;
  const bool exists = program.find('/') != std::string::npos && fs::exists(program, ignored);
  if (error == ENOENT && !exists) {
    say(program + ": there is no such program");
    return kNotFound;
  }
  if (error == ENOENT) {
    say(program + ": cannot be run: its interpreter or loader is missing");
    return kNotExecutable;
  }
  say(program + ": cannot be run: " + std::strerror(error));
  return error == ENOTDIR ? kNotFound : kNotExecutable;
}

/// XFERCHECK_OPTIONS, as far as they are this program's business; what is wrong with them is said
/// by the traced process. Throws UsageError: suppressions that cannot be used.
TracerOptions read_options(ReportOptions& report) {
  TracerOptions options;
  parse_options(variable("XFERCHECK_OPTIONS"), options);
  if (options.help) print_options_help(std::cerr);
  try {
    if (!options.suppressions.empty())
      report.suppressions.add(Suppressions::read(options.suppressions));
  } catch (const std::runtime_error& error) {
    throw UsageError("XFERCHECK_OPTIONS: suppressions: " + std::string(error.what()));
  }
  if (options.exitcode != 0 && !report.error_exitcode)
    report.error_exitcode = static_cast<int>(options.exitcode);
  return options;
}

std::uint64_t now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

/// Where the text report goes instead of stderr.
std::optional<fs::path> log_file(const TracerOptions& options, int process) {
  if (options.log_path.empty() || options.log_path == "stderr") return std::nullopt;
  if (options.log_path == "stdout") return "-";
  const fs::path file = expand_path(options.log_path) + '.' + std::to_string(process);
  if (std::ofstream(file, std::ios::app)) return file;
  say("log_path: " + file.string() + " cannot be written: " + std::strerror(errno) +
      "; stderr is used");
  return std::nullopt;
}

}  // namespace

RunResult run_traced(CommandLine line) {
  RunResult result;
  const std::string& program = line.program.front();
  if (line.emulate) {
    if (const auto reason = why_not_emulated(program)) {
      say("--emulate: " + *reason);
      result.exit_code = kUsage;
      return result;
    }
  }
  const TracerOptions options = read_options(line.report);
  if (const auto& output = line.report.output; output && *output != "-")
    check_output(*output, "-o");
  if (line.record) check_output(*line.record, "--record");
  const TemporaryFolder folder;
  LaunchedRun run{line.program, {}, now_ns(), line.emulate.value_or(0), options.enabled};
  {
    const Environment environment = tracing_environment(line, folder.path());
    std::optional<LiveCheck> check;
    if (options.halt_on_error) check.emplace(folder.path(), line.report);
    result.ended = run_program(line.program, environment);
    result.halted = check && check->found();
  }
  if (result.ended.start_error != 0) {
    result.exit_code = cannot_start(program, result.ended.start_error);
    return result;
  }
  run.ended = result.ended;
  std::vector<fs::path> traces = traces_in(folder.path());
  record_end(traces, run);
  if (traces.empty())
    if (const fs::path why = record_untraced(folder.path(), run); !why.empty())
      traces.push_back(why);
  if (line.record) traces = keep(traces, *line.record);
  if (!line.report.output && line.report.format == Format::kText) {
    line.report.output = log_file(options, result.ended.process);
    line.report.append = true;  // the library's messages are there
  }
  const ReportResult report = report_traces(traces, line.report, DefaultOutput::kStderr);
  result.exit_code = result.halted ? line.report.error_exitcode.value_or(1)
                                   : exit_code(result.ended.exit_code, line.report, report);
  return result;
}

}  // namespace xfer::launcher
