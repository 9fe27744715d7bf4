#include "text.h"

#include <fmt/format.h>

namespace xfer {

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first < 0xE0   ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Overlong forms, surrogates and what lies beyond U+10FFFF.
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) >= 0xA0) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) >= 0x90) return 0;
  return length;
}

namespace {

// U+202A..E and U+2066..9 change the order in which the rest of a line is shown.
bool is_bidi_control(std::string_view sequence) {
  if (sequence.size() != 3 || sequence[0] != '\xE2') return false;
  return (sequence[1] == '\x80' && sequence[2] >= '\xAA' && sequence[2] <= '\xAE') ||
         (sequence[1] == '\x81' && sequence[2] >= '\xA6' && sequence[2] <= '\xA9');
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (first == '\n' || first == '\r' || first == '\t') {
      out += ' ';
    } else if (first < 0x20 || first == 0x7F) {
      out += fmt::format("\\x{:02x}", first);
    } else if (length == 2 && first == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[1]));  // C1 controls
    } else if (is_bidi_control(text.substr(0, length))) {
      const int low = (text[1] == '\x80' ? 0x00 : 0x40) + (text[2] & 0x3F);
      out += fmt::format("\\u20{:02x}", low);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::size_t code_points_before(std::string_view text, std::size_t offset) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < offset && i < text.size(); ++count) {
    const std::size_t length = utf8_length(text.substr(i));
    i += length == 0 ? 1 : length;
  }
  return count;
}

std::size_t width(std::string_view text) { return code_points_before(text, text.size()); }

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace xfer
