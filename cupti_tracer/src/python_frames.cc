#include "python_frames.h"

#include <algorithm>

namespace xfer::tracer {

PythonFrames::PythonFrames(TraceWriter& writer) : writer_(writer) { stacks_.find(); }

std::size_t PythonFrames::capture(std::span<PythonFrameRef> out) {
  if (!stacks_.readable()) return 0;
  std::array<PythonCall, kMaxStackDepth> calls;
  const std::size_t count = stacks_.capture({calls.data(), std::min(out.size(), calls.size())});
  std::uint64_t unknown = 0;  // a bit for each
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < count; ++i) {
      const auto known = frames_.find(calls[i].what);
      out[i] = {known != frames_.end() ? known->second : 0, calls[i].entered};
      if (known == frames_.end()) unknown |= std::uint64_t{1} << i;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    if ((unknown >> i & 1) == 0) continue;
    const PythonPlace place = stacks_.place(calls[i]);
    out[i].frame = writer_.intern_python_frame(place.function, place.file, place.line);
    const std::lock_guard lock(mutex_);
    if (frames_.size() < kMostPlaces) frames_.try_emplace(calls[i].what, out[i].frame);
  }
  return count;
}

}  // namespace xfer::tracer
