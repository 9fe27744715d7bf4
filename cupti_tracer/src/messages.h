#pragma once
// The library's messages, one line each, and their place: stderr, or the file of log_path.
// Async-signal-safe, but for set_log_path.

#include <string>
#include <string_view>

namespace xfer::tracer {

/// As the option: "" and "stderr", "stdout", or a path to which the process id is added. The file
/// is made at the first line.
void set_log_path(const std::string& path);
/// Where lines go.
int log_descriptor() noexcept;

void say(std::string_view line) noexcept;

}  // namespace xfer::tracer
