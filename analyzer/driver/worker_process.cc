#include "analyzer/driver/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "analyzer/driver/worker.h"

extern char** environ;

namespace xfer::lint {
namespace {

constexpr std::size_t kKeptOutput = 4096;

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot make a pipe for a worker");
  return {ends[0], ends[1]};
}

void close_if_open(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of("\r\n \t");
  if (end == std::string::npos) return {};
  const std::size_t start = text.find_last_of('\n', end);
  return text.substr(start == std::string::npos ? 0 : start + 1,
                     end - (start == std::string::npos ? 0 : start + 1) + 1);
}

}  // namespace

WorkerProcess::WorkerProcess(const std::string& setup) {
  Pipe jobs = make_pipe();
  Pipe replies = make_pipe();
  Pipe output = make_pipe();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // dup2 onto the same number would keep close-on-exec; the pipes' numbers may be 3 themselves.
  const int safe = ::fcntl(replies.write, F_DUPFD_CLOEXEC, 16);
  posix_spawn_file_actions_adddup2(&actions, jobs.read, 0);
  posix_spawn_file_actions_adddup2(&actions, output.write, 1);
  posix_spawn_file_actions_adddup2(&actions, output.write, 2);
  posix_spawn_file_actions_adddup2(&actions, safe, kReplyDescriptor);
  const std::string flag = kWorkerFlag;
  std::string name = "xferlint";
  char* arguments[] = {name.data(), const_cast<char*>(flag.c_str()), nullptr};
  const int error = ::posix_spawn(&pid_, "/proc/self/exe", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(safe);
  ::close(jobs.read);
  ::close(replies.write);
  ::close(output.write);
  job_fd_ = jobs.write;
  reply_fd_ = replies.read;
  output_fd_ = output.read;
  if (error != 0) {
    close_if_open(job_fd_);
    close_if_open(reply_fd_);
    close_if_open(output_fd_);
    throw std::system_error(error, std::generic_category(), "cannot start a worker process");
  }
  for (const int fd : {reply_fd_, output_fd_}) ::fcntl(fd, F_SETFL, O_NONBLOCK);
  send(setup);
}

WorkerProcess::~WorkerProcess() {
  if (pid_ > 0) {
    kill();
    ::waitpid(pid_, nullptr, 0);
  }
  close_if_open(job_fd_);
  close_if_open(reply_fd_);
  close_if_open(output_fd_);
}

bool WorkerProcess::send(const std::string& line) {
  const std::string whole = line + '\n';
  for (std::size_t sent = 0; sent < whole.size();) {
    const ssize_t n = ::write(job_fd_, whole.data() + sent, whole.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return true;
}

void WorkerProcess::drain_output() {
  char buffer[4096];
  ssize_t n;
  while ((n = ::read(output_fd_, buffer, sizeof buffer)) > 0) {
    printed_.append(buffer, static_cast<std::size_t>(n));
    if (printed_.size() > 2 * kKeptOutput) printed_.erase(0, printed_.size() - kKeptOutput);
  }
}

std::optional<std::string> WorkerProcess::receive() {
  drain_output();
  char buffer[65536];
  while (true) {
    const ssize_t n = ::read(reply_fd_, buffer, sizeof buffer);
    if (n > 0) {
      replies_.append(buffer, static_cast<std::size_t>(n));
    } else if (n < 0 && errno == EINTR) {
      continue;
    } else {
      if (n == 0) closed_ = true;
      break;
    }
  }
  const std::size_t end = replies_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string reply = replies_.substr(0, end);
  replies_.erase(0, end + 1);
  return reply;
}

void WorkerProcess::kill() {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
}

std::string WorkerProcess::reap() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
  pid_ = -1;
  drain_output();
  std::string how;
  if (WIFSIGNALED(status)) {
    const char* signal = ::sigabbrev_np(WTERMSIG(status));
    how = fmt::format("crashed (SIG{})",
                      signal != nullptr ? signal : std::to_string(WTERMSIG(status)).c_str());
  } else {
    how = fmt::format("ended early (exit code {})", WEXITSTATUS(status));
  }
  const std::string last = last_line(printed_);
  return last.empty() ? how : how + ": " + last;
}

}  // namespace xfer::lint
