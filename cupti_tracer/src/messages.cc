#include "messages.h"

#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

namespace xfer::tracer {

void say(std::string_view line) noexcept {
  const int saved = errno;
  constexpr std::string_view kPrefix = "xfertrace: ";
  const iovec parts[] = {{const_cast<char*>(kPrefix.data()), kPrefix.size()},
                         {const_cast<char*>(line.data()), line.size()},
                         {const_cast<char*>("\n"), 1}};
  [[maybe_unused]] const ssize_t written = writev(STDERR_FILENO, parts, 3);
  errno = saved;
}

}  // namespace xfer::tracer
