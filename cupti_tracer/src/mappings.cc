#include "mappings.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cstring>
#include <string_view>

namespace xfer::tracer {
bool parse_mapping(std::string_view line, Mapping& mapping) {
  const char* const end = line.data() + line.size();
  auto at = std::from_chars(line.data(), end, mapping.begin, 16);
  if (at.ec != std::errc() || at.ptr == end || *at.ptr != '-') return false;
  at = std::from_chars(at.ptr + 1, end, mapping.end, 16);
  if (at.ec != std::errc() || end - at.ptr < 6) return false;
  std::string_view rest(at.ptr + 1, static_cast<std::size_t>(end - at.ptr - 1));
  mapping.readable = rest.front() == 'r';
  mapping.is_data = rest.starts_with("rw-p");
  for (int skipped = 0; skipped < 3; ++skipped) {  // rights, offset, device
    const std::size_t space = rest.find(' ');
    if (space == std::string_view::npos) return false;
    rest.remove_prefix(space + 1);
  }
  at = std::from_chars(rest.data(), end, mapping.inode);
  mapping.special = line.find("[v") != std::string_view::npos;
  return at.ec == std::errc();
}

void read_mappings(const std::function<bool(const Mapping&)>& use) {
  // Not /proc/self: that is the main thread, which may have ended.
  const int list = open("/proc/thread-self/maps", O_RDONLY | O_CLOEXEC);
  if (list < 0) return;
  char buffer[16 << 10];
  std::size_t held = 0;
  bool more = true;
  while (more) {
    const ssize_t got = read(list, buffer + held, sizeof(buffer) - held);
    if (got <= 0) break;
    held += static_cast<std::size_t>(got);
    std::string_view text(buffer, held);
    for (std::size_t end = 0; more && (end = text.find('\n')) != std::string_view::npos;) {
      Mapping mapping;
      more = parse_mapping(text.substr(0, end), mapping) && use(mapping);
      text.remove_prefix(end + 1);
    }
    if (text.size() == sizeof(buffer)) break;  // no line is as long
    held = text.size();
    std::memmove(buffer, text.data(), held);
  }
  close(list);
}

}  // namespace xfer::tracer
