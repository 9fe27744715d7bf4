#include "report_at_exit.h"

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "messages.h"

namespace xfer::tracer {
namespace {

char g_program[PATH_MAX];              // empty: not found
std::array<char*, 512> g_environment;  // the program's, less what would trace the report

bool is_kept(std::string_view variable) {
  for (const std::string_view name :
       {"LD_PRELOAD=", "CUDA_INJECTION64_PATH=", "XFERCHECK_OPTIONS=", "XFERCHECK_EMULATE="})
    if (variable.starts_with(name)) return false;
  return true;
}

}  // namespace

void prepare_report() noexcept {
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&prepare_report), &self) != 0 &&
      self.dli_fname != nullptr) {
    const std::string library = self.dli_fname;
    const auto slash = library.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : library.substr(0, slash);
    for (const char* place : {"/../bin/xfertrace", "/../../bin/xfertrace", "/xfertrace"}) {
      const std::string program = folder + place;
      if (program.size() >= sizeof(g_program) || access(program.c_str(), X_OK) != 0) continue;
      std::memcpy(g_program, program.c_str(), program.size() + 1);
      break;
    }
  }
  std::size_t count = 0;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    if (is_kept(*variable) && count + 1 < g_environment.size()) g_environment[count++] = *variable;
  g_environment[count] = nullptr;
}

void report_trace(const char* path, bool remove) noexcept {
  if (g_program[0] == '\0') {
    say("the trace is complete, but the program xfertrace is not beside libxfertrace.so; report it "
        "with: xfertrace report TRACE");
    say(path);
    return;
  }
  const int saved = errno;
  const pid_t child = vfork();  // runs no handlers: this may be a signal's
  if (child == 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    const char* const arguments[] = {g_program, "report", path, nullptr};
    execve(g_program, const_cast<char* const*>(arguments), g_environment.data());
    _exit(127);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (remove && child > 0 && WIFEXITED(status) && WEXITSTATUS(status) <= 1) unlink(path);
  errno = saved;
}

}  // namespace xfer::tracer
