#include "xfer/trace.h"
#include "xfer/trace_reader.h"

namespace xfer {

std::unique_ptr<Trace> open_trace(const std::filesystem::path& path) {
  return std::make_unique<TraceReader>(path);
}

}  // namespace xfer
