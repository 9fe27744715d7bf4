#pragma once
// A number that a trace's metadata hold as text.

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "xfer/trace.h"

namespace xfer {

/// Nothing where there is no such key, or the text is no such number.
template <typename Number>
std::optional<Number> metadata_number(const Trace& trace, std::string_view key) {
  const auto found = trace.metadata().find(key);
  if (found == trace.metadata().end()) return std::nullopt;
  const std::string& text = found->second;
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace xfer
