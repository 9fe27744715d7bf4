#pragma once
// The program xfertrace beside this library, which does what needs more than a library in
// somebody's program should bring: it is run on the trace.

namespace xfer::tracer {

/// Finds it, and keeps an environment in which it is not traced itself. Call once at start.
void find_sibling() noexcept;

/// Null: it is not there.
const char* sibling_path() noexcept;
char* const* sibling_environment() noexcept;

}  // namespace xfer::tracer
