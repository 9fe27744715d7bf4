#pragma once
// What the engine should find, worked out the slow and obvious way: every byte of the devices and
// of the host is simulated, and each byte knows who wrote it. For traces on one device and one
// stream, with linear copies. Where the engine may choose to be silent, the oracle gives what is
// allowed instead.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "xfer/engine.h"

namespace xfer::test {

struct Expected {
  /// Copies (by call site; each has its own) that must be charged with the reason, and no others.
  std::map<Reason, std::set<std::uint32_t>> exactly;
  /// Copies that may be charged with the reason.
  std::map<Reason, std::set<std::uint32_t>> allowed;
};

/// A random trace of `length` calls, some of them misuse that CUDA refuses, and what is to be found
/// in it. Small buffers and few values, so that everything that can coincide does.
struct RandomTrace {
  std::vector<Event> events;
  Expected expected;
};
RandomTrace random_trace(std::uint64_t seed, std::size_t length);

}  // namespace xfer::test
