#pragma once
// A character as UTF-8.

#include <cstdint>
#include <string>

namespace xfer {

/// A code point that is no character becomes U+FFFD.
inline void append_utf8(std::string& out, std::uint32_t c) {
  if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) c = 0xfffd;
  if (c < 0x80) return out.push_back(static_cast<char>(c));
  const unsigned more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  constexpr unsigned kLead[] = {0, 0xc0, 0xe0, 0xf0};
  out.push_back(static_cast<char>(kLead[more] | c >> 6 * more));
  for (unsigned i = more; i-- > 0;) out.push_back(static_cast<char>(0x80 | (c >> 6 * i & 0x3f)));
}

}  // namespace xfer
