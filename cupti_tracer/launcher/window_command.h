#pragma once
// `xfertrace report --window`: what one thread did in a span of time, of a trace that is still
// being written. The library in the traced process asks it for assertions (xfer/assert.h).
//
// Prints a number on the first line, and then a text.

#include <filesystem>
#include <iosfwd>
#include <string>

#include "command_line.h"
#include "xfer/window.h"

namespace xfer::launcher {

/// THREAD:BEGIN:END. Throws std::invalid_argument with one line.
Window parse_window(const std::string& text);

/// Throws std::runtime_error with one line: a trace that cannot be read.
void report_window(const std::filesystem::path& trace, const WindowOptions& options,
                   std::ostream& out);

}  // namespace xfer::launcher
