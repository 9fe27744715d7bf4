#pragma once
// What the library says, one line at a time, and where: on stderr, or in the file of log_path.
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
