#include "messages.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>

#include "xfer/hold_write_signals.h"

namespace xfer::tracer {
namespace {

char g_log_path[PATH_MAX];  // empty: no file, or it is open
std::atomic<int> g_descriptor{STDERR_FILENO};

void write_line(int descriptor, std::string_view line) noexcept {
  constexpr std::string_view kPrefix = "xfertrace: ";
  const iovec parts[] = {{const_cast<char*>(kPrefix.data()), kPrefix.size()},
                         {const_cast<char*>(line.data()), line.size()},
                         {const_cast<char*>("\n"), 1}};
  const HoldWriteSignals held;
  [[maybe_unused]] const ssize_t written = writev(descriptor, parts, 3);
}

}  // namespace

void set_log_path(const std::string& path) {
  if (path.empty() || path == "stderr") return;
  if (path == "stdout") return g_descriptor.store(STDOUT_FILENO);
  // The program may go to another folder.
  const std::string full =
      std::filesystem::absolute(path).string() + '.' + std::to_string(getpid());
  if (full.size() >= sizeof(g_log_path)) return say("log_path is too long; stderr is used");
  std::memcpy(g_log_path, full.c_str(), full.size() + 1);
  g_descriptor.store(-1);
}

int log_descriptor() noexcept {
  const int known = g_descriptor.load(std::memory_order_acquire);
  if (known >= 0) return known;
  const int saved = errno;
  int opened = open(g_log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (opened < 0) {
    write_line(STDERR_FILENO, "log_path: the file cannot be written; stderr is used");
    opened = STDERR_FILENO;
  }
  errno = saved;
  int none = -1;
  if (g_descriptor.compare_exchange_strong(none, opened)) return opened;
  if (opened != STDERR_FILENO) close(opened);
  return none;
}

void say(std::string_view line) noexcept {
  const int saved = errno;
  write_line(log_descriptor(), line);
  errno = saved;
}

}  // namespace xfer::tracer
