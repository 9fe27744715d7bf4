#include "run_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace xfer::launcher {
namespace {

std::atomic<pid_t> g_child{0};
struct sigaction g_file_size_action = {};  // as it was

void pass_on(int signal) {
  if (const pid_t child = g_child.load(); child > 0) kill(child, signal);
}

// Until it has ended; its id stays its own until it is waited for.
void wait_for_end(pid_t child) {
  siginfo_t info;
  while (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
}

/// While the program runs: the terminal's signals are the program's business, others are passed on.
class SignalScope {
 public:
  SignalScope() {
    set(0, SIGINT, SIG_IGN);
    set(1, SIGQUIT, SIG_IGN);
    set(2, SIGTERM, pass_on);
    set(3, SIGHUP, pass_on);
  }
  ~SignalScope() { restore(); }
  SignalScope(const SignalScope&) = delete;
  SignalScope& operator=(const SignalScope&) = delete;
  /// As they were, for the program.
  void restore() const {
    for (const Saved& saved : saved_) sigaction(saved.signal, &saved.action, nullptr);
  }

 private:
  struct Saved {
    int signal;
    struct sigaction action;
  };
  void set(std::size_t at, int signal, void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    saved_[at].signal = signal;
    sigaction(signal, &action, &saved_[at].action);
  }
  std::array<Saved, 4> saved_{};
};

[[noreturn]] void become(const std::vector<std::string>& command, const Environment& changes,
                         int error_pipe) {
  sigaction(SIGXFSZ, &g_file_size_action, nullptr);
  for (const auto& [name, value] : changes) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(error_pipe, &error, sizeof(error));
  _exit(127);
}

}  // namespace

Ended run_program(const std::vector<std::string>& command, const Environment& changes) {
  Ended ended;
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) {
    ended.start_error = errno;
    return ended;
  }
  const SignalScope signals;
  const pid_t child = fork();
  if (child == 0) {
    signals.restore();
    become(command, changes, pipe_ends[1]);
  }
  close(pipe_ends[1]);
  if (child < 0) {
    ended.start_error = errno;
    close(pipe_ends[0]);
    return ended;
  }
  ended.process = child;
  g_child.store(child);
  int error = 0;
  ssize_t got = 0;
  while ((got = ::read(pipe_ends[0], &error, sizeof(error))) < 0 && errno == EINTR) {
  }
  close(pipe_ends[0]);
  wait_for_end(child);
  g_child.store(0);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (got == sizeof(error))
    ended.start_error = error;
  else if (WIFSIGNALED(status))
    ended.signal = WTERMSIG(status);
  else
    ended.exit_code = WEXITSTATUS(status);
  return ended;
}

void signal_program(int signal) { pass_on(signal); }

void survive_file_limits() {
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &ignore, &g_file_size_action);
}

}  // namespace xfer::launcher
