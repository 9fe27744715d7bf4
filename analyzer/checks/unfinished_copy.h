#pragma once
// The common part of read-before-sync and async-source-reuse: the host touches a tensor, or memory,
// while an asynchronous copy of it, or a kernel that works on it, may still be in flight.

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

struct Unfinished {
  Rule rule;
  DataUse use;               ///< of the touches
  bool Need::* needed;       ///< of those in a callee
  FactId Object::* work;     ///< that the touch should have waited for
  std::string copy, kernel;  ///< what the finding says of it
};

/// Reports the first such touch of every copy and every launch.
void report_unfinished(const CheckContext& context, const Unfinished& what);

}  // namespace xfer::analyzer
