#pragma once
// Messages of emulated devices on stderr. A message is lost where nobody reads it, or the file
// that it goes to may not grow; the program goes on.

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "xfer/hold_write_signals.h"

namespace xfer::emulator {

template <class... Values>
void say(fmt::format_string<Values...> format, Values&&... values) noexcept try {
  const HoldWriteSignals held;
  fmt::print(stderr, format, std::forward<Values>(values)...);
} catch (...) {
}

}  // namespace xfer::emulator
