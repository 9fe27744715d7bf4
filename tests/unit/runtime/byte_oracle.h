#pragma once
// The findings that the engine should report, worked out the slow and obvious way: the oracle
// simulates every byte of the devices and of the host, and each byte knows its writer. For traces
// on one device and one stream, with linear copies. Where the engine may choose to be silent, the
// oracle gives the findings that are allowed.

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
