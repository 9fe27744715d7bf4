#include "ask_sibling.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <string_view>

#include "sibling.h"

namespace xfer::tracer {
namespace {

long give_up(std::string_view why, xfer_take_text take, void* to) noexcept {
  take(to, why.data(), why.size());
  return -1;
}

std::string read_all(int descriptor) {
  std::string text;
  char piece[4096];
  for (;;) {
    const ssize_t size = read(descriptor, piece, sizeof(piece));
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(piece, static_cast<std::size_t>(size));
  }
}

}  // namespace

long ask_sibling(const char* const* arguments, xfer_take_text take, void* to) noexcept {
  const char* const program = sibling_path();
  if (program == nullptr)
    return give_up("the program xfertrace is not beside libxfertrace.so", take, to);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return give_up("no pipe to xfertrace can be made", take, to);
  const pid_t child = vfork();  // no fork handlers: the child is xfertrace at once
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    execve(program, const_cast<char* const*>(arguments), sibling_environment());
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  try {
    if (child > 0) text = read_all(ends[0]);
  } catch (const std::exception&) {  // out of memory: what was read is given up
    text.clear();
  }
  close(ends[0]);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data() + text.size() || *end != '\n')
    return give_up("xfertrace could not look at the trace", take, to);
  take(to, end + 1, static_cast<std::size_t>(text.data() + text.size() - end - 1));
  return number;
}

}  // namespace xfer::tracer
