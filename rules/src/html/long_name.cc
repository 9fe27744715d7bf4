#include "long_name.h"

#include "html_escape.h"
#include "src/text.h"

namespace xfer::html {
namespace {

constexpr std::size_t kLongest = 80;
constexpr const char* kDots = "\xE2\x80\xA6";

// Replaces the text between the outermost pairs of brackets by dots.
std::string without_arguments(std::string_view name) {
  std::string out;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool arrow = c == '>' && i > 0 && name[i - 1] == '-';
    if ((c == '<' || c == '(') && depth++ == 0) {
      out += c;
      continue;
    }
    if ((c == '>' || c == ')') && !arrow && depth > 0 && --depth == 0) {
      if (out.back() == '<' || out.back() == '(')
        if (name[i - 1] != out.back()) out += kDots;
    }
    if (depth == 0) out += c;
  }
  return depth == 0 ? out : std::string(name);
}

std::string cut(std::string text) {
  if (width(text) <= kLongest) return text;
  std::size_t end = 0;
  for (std::size_t i = 0; i + 1 < kLongest; ++i) {
    const std::size_t length = utf8_length(std::string_view(text).substr(end));
    end += length == 0 ? 1 : length;
  }
  return text.substr(0, end) + kDots;
}

}  // namespace

std::string shortened_name(std::string_view name) {
  if (width(name) <= kLongest) return std::string(name);
  return cut(without_arguments(name));
}

std::string long_name(std::string_view name) {
  const std::string shown = shortened_name(name);
  if (shown == name) return escape(name);
  return "<span class=\"long\" title=\"" + escape(name) + "\">" + escape(shown) + "</span>";
}

std::string prose_with_long_names(std::string_view text) { return escape_prose(text, long_name); }

}  // namespace xfer::html
