#include "scope_name.h"

namespace xfer {

std::string without_numbers(std::string_view name) {
  std::string text;
  for (const char letter : name) {
    const bool digit = letter >= '0' && letter <= '9';
    if (!digit)
      text += letter;
    else if (text.empty() || text.back() != '*')
      text += '*';
  }
  if (!text.ends_with('*')) return text;
  const std::size_t end = text.find_last_not_of("*#/_-:., ");
  return end == std::string::npos ? "*" : text.substr(0, end + 1);
}

}  // namespace xfer
