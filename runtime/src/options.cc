#include "xfer/options.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ostream>
#include <stdexcept>

#include "xfer/rules/nearest.h"

namespace xfer {
namespace {

bool is_separator(char c) {
  return c == ':' || c == ',' || c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

bool read_value(std::string_view text, bool& value) {
  for (std::string_view yes : {"1", "true", "yes", "on"})
    if (text == yes) return value = true;
  for (std::string_view no : {"0", "false", "no", "off"})
    if (text == no) {
      value = false;
      return true;
    }
  return false;
}

bool read_value(std::string_view text, std::uint64_t& value) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || text.empty()) return false;
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  unsigned shift = 0;
  if (unit == "K" || unit == "k")
    shift = 10;
  else if (unit == "M" || unit == "m")
    shift = 20;
  else if (unit == "G" || unit == "g")
    shift = 30;
  else if (!unit.empty())
    return false;
  if (shift != 0 && number > (UINT64_MAX >> shift)) return false;
  value = number << shift;
  return true;
}

bool read_value(std::string_view text, std::string& value) {
  value = text;
  return true;
}

std::string show(bool value) { return value ? "1" : "0"; }
std::string show(std::uint64_t value) { return std::to_string(value); }
std::string show(const std::string& value) {
  const bool plain = std::none_of(value.begin(), value.end(), is_separator) &&
                     !value.starts_with('"') && !value.starts_with('\'');
  if (plain) return value;
  const char quote = value.find('"') == std::string::npos ? '"' : '\'';
  return quote + value + quote;
}

constexpr const char* kind_of(bool) { return "0 or 1"; }
constexpr const char* kind_of(std::uint64_t) { return "a number (K, M, G allowed)"; }
const char* kind_of(const std::string&) { return "text"; }

constexpr std::string_view kNames[] = {
#define XFER_FLAG(type, name, default_value, help) #name,
#include "xfer/flags.inc"
#undef XFER_FLAG
};

void set_option(std::string_view key, std::string_view value, TracerOptions& options,
                std::vector<std::string>& problems) {
#define XFER_FLAG(type, name, default_value, help)                                       \
  if (key == #name) {                                                                    \
    if (!read_value(value, options.name))                                                \
      problems.push_back("XFERCHECK_OPTIONS: " #name ": expected " +                     \
                         std::string(kind_of(options.name)) + ", got " + quoted(value) + \
                         "; it stays " + show(options.name));                            \
    return;                                                                              \
  }
#include "xfer/flags.inc"
#undef XFER_FLAG
  problems.push_back("XFERCHECK_OPTIONS: there is no option " + quoted(key) +
                     did_you_mean(key, kNames) + " (help=1 lists them)");
}

}  // namespace

std::string quoted(std::string_view item) {
  std::string text = "'";
  for (const char c : item) text += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c;
  return text + "'";
}

std::vector<std::string> parse_options(std::string_view text, TracerOptions& options) {
  std::vector<std::string> problems;
  std::size_t at = 0;
  while (at < text.size()) {
    if (is_separator(text[at])) {
      ++at;
      continue;
    }
    const std::size_t key_begin = at;
    while (at < text.size() && text[at] != '=' && !is_separator(text[at])) ++at;
    const std::string_view key = text.substr(key_begin, at - key_begin);
    if (at == text.size() || text[at] != '=') {
      problems.push_back("XFERCHECK_OPTIONS: " + quoted(key) +
                         " has no value (expected key=value:key=value)");
      continue;
    }
    ++at;
    std::string_view value;
    if (at < text.size() && (text[at] == '"' || text[at] == '\'')) {
      const std::size_t close = text.find(text[at], at + 1);
      if (close == std::string_view::npos) {
        problems.push_back("XFERCHECK_OPTIONS: the quote of " + quoted(key) + " is not closed");
        break;
      }
      value = text.substr(at + 1, close - at - 1);
      at = close + 1;
    } else {
      const std::size_t begin = at;
      while (at < text.size() && !is_separator(text[at])) ++at;
      value = text.substr(begin, at - begin);
    }
    set_option(key, value, options, problems);
  }
  if (options.exitcode > 255) {
    problems.push_back("XFERCHECK_OPTIONS: exitcode: expected a number from 0 to 255, got " +
                       std::to_string(options.exitcode) + "; it stays 0");
    options.exitcode = 0;
  }
  return problems;
}

void print_options_help(std::ostream& out) {
  const TracerOptions defaults;
  out << "XFERCHECK_OPTIONS=key=value:key=value\n";
#define XFER_FLAG(type, name, default_value, help) \
  out << "  " #name "=" << show(defaults.name) << "\n      " << help << '\n';
#include "xfer/flags.inc"
#undef XFER_FLAG
}

std::string format_options(const TracerOptions& options) {
  std::string text;
#define XFER_FLAG(type, name, default_value, help) \
  text += (text.empty() ? "" : ":") + std::string(#name "=") + show(options.name);
#include "xfer/flags.inc"
#undef XFER_FLAG
  return text;
}

std::string expand_path(std::string_view path_template) {
  std::string path;
  for (std::size_t i = 0; i < path_template.size(); ++i) {
    const char next = i + 1 < path_template.size() ? path_template[i + 1] : '\0';
    if (path_template[i] != '%' || (next != 'p' && next != 'e' && next != '%')) {
      path += path_template[i];
      continue;
    }
    ++i;
    if (next == 'p')
      path += std::to_string(getpid());
    else if (next == 'e')
      path += program_invocation_short_name;
    else
      path += '%';
  }
  return path;
}

}  // namespace xfer
