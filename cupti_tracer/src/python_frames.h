#pragma once
// The Python calls of a call site, as the trace names them. Two calls of the same place in the same
// function are one frame of the trace, whatever code object they came from.
//
// Cost: that of PythonStacks, and a look-up a frame. Memory: an entry for each place ever seen, up
// to a limit. Thread-safe.

#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_map>

#include "xfer/python_stack.h"
#include "xfer/stack.h"
#include "xfer/trace_writer.h"

namespace xfer::tracer {

class PythonFrames {
 public:
  explicit PythonFrames(TraceWriter& writer);

  /// The current thread's calls, innermost first. Gives how many there are.
  std::size_t capture(std::span<PythonFrameRef> out);

  const PythonStacks& stacks() const { return stacks_; }

 private:
  static constexpr std::size_t kMostPlaces = std::size_t{1} << 18;

  TraceWriter& writer_;
  PythonStacks stacks_;
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::uint32_t> frames_;  // by PythonCall::what
};

}  // namespace xfer::tracer
