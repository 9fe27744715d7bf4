#pragma once
// The message about a trace that could not be written. Async-signal-safe.

#include <cstddef>
#include <cstdint>
#include <span>

namespace xfer::tracer {

/// The remedy for a write that failed with this errno.
const char* remedy_of_write(int error) noexcept;

struct WriteFailure {
  int error;                   ///< errno
  std::uint64_t lost;          ///< events
  const char* path;            ///< of the trace
  std::uint64_t option_bytes;  ///< max_file_bytes; 0: no such limit
};

/// One line, cut where it does not fit: what was lost, why, what to do.
void describe_write_failure(const WriteFailure& failure, std::span<char> line) noexcept;

}  // namespace xfer::tracer
