#include "report_at_exit.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include "messages.h"
#include "sibling.h"

namespace xfer::tracer {
namespace {

char g_suppressions[PATH_MAX];  // empty: none
char g_exit_code[4];            // empty: the program's own

}  // namespace

void prepare_report(const TracerOptions& options) {
  if (const std::string& file = options.suppressions;
      !file.empty() && realpath(file.c_str(), g_suppressions) == nullptr) {
    g_suppressions[0] = '\0';
    say("suppressions: " + file + " cannot be read: " + std::strerror(errno) +
        "; everything is reported");
  }
  if (options.exitcode != 0) {
    const std::string code = std::to_string(options.exitcode);
    std::memcpy(g_exit_code, code.c_str(), code.size() + 1);
  }
  if (options.halt_on_error && options.report)
    say("halt_on_error needs xfertrace to start the program; the program runs to its end");
}

int report_trace(const char* path, bool remove) noexcept {
  const char* const program = sibling_path();
  if (program == nullptr) {
    say("the trace is complete, but the program xfertrace is not beside libxfertrace.so; report it "
        "with: xfertrace report TRACE");
    say(path);
    return 0;
  }
  std::array<const char*, 8> arguments{program, "report"};
  std::size_t count = 2;
  if (g_suppressions[0] != '\0') {
    arguments[count++] = "--suppressions";
    arguments[count++] = g_suppressions;
  }
  if (g_exit_code[0] != '\0') {
    arguments[count++] = "--error-exitcode";
    arguments[count++] = g_exit_code;
  }
  arguments[count] = path;
  const int saved = errno;
  const int log = log_descriptor();
  const pid_t child = vfork();  // runs no handlers: this may be a signal's
  if (child == 0) {
    // In a signal's handler all signals are blocked; whoever waits for the report may end it.
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, nullptr);
    dup2(log, STDERR_FILENO);
    dup2(log, STDOUT_FILENO);
    execve(program, const_cast<char* const*>(arguments.data()), sibling_environment());
    _exit(127);
  }
  int status = 0;
  pid_t ended = -1;
  while (child > 0 && (ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  errno = saved;
  if (ended != child || !WIFEXITED(status)) return 0;
  const int code = WEXITSTATUS(status);
  const int wanted = std::atoi(g_exit_code);
  const bool found = wanted != 0 && code == wanted;
  if (remove && (code <= 1 || found)) {
    unlink(path);
  } else if (remove) {
    say("the trace is kept:");
    say(path);
  }
  return found ? wanted : 0;
}

}  // namespace xfer::tracer
