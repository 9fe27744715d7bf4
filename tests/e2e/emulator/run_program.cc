#include "run_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "test_device.h"

namespace xfer::test {
namespace {

std::string temporary_file() {
  std::string path = std::string(P_tmpdir) + "/xfer-emulated-XXXXXX";
  const int file = mkstemp(path.data());
  if (file >= 0) close(file);
  return path;
}

std::string take(const std::string& path) {
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  unlink(path.c_str());
  return text;
}

constexpr unsigned kLongestOnGpu = 30;  // seconds: nothing else stops a kernel that never ends

}  // namespace

Outcome run_emulated(const std::vector<std::string>& command,
                     const std::vector<std::string>& environment) {
  const std::string out = temporary_file();
  const std::string err = temporary_file();
  const pid_t child = fork();
  if (child == 0) {
    dup2(open(out.c_str(), O_WRONLY | O_TRUNC), STDOUT_FILENO);
    dup2(open(err.c_str(), O_WRONLY | O_TRUNC), STDERR_FILENO);
    if (on_gpu()) {  // it stands in for the emulator, whose answers are to be its own
      alarm(kLongestOnGpu);
    } else {
      setenv("LD_LIBRARY_PATH", XFER_EMULATOR_DIR, 1);
      setenv("XFERCHECK_EMULATE", "1", 1);
    }
    unsetenv("XFERCHECK_OPTIONS");
    unsetenv("CUDA_INJECTION64_PATH");
    for (const std::string& entry : environment) {
      const auto equals = entry.find('=');
      setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
    }
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome;
  outcome.out = take(out);
  outcome.err = take(err);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  return outcome;
}

Outcome run_with_kernels(const std::string& act, const std::string& options,
                         const std::string& devices) {
  std::string all = "emulate_kernels=" XFER_PROGRAM_KERNELS;
  if (!options.empty()) all += ":" + options;
  return run_emulated({XFER_PROGRAM, act},
                      {"XFERCHECK_OPTIONS=" + all, "XFERCHECK_EMULATE=" + devices});
}

}  // namespace xfer::test
