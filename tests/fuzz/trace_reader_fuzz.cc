// Any bytes as a trace file, read and put through the engine. A file that is refused is fine; a
// crash, a hang or memory beyond the file's size is not.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>

#include "xfer/engine.h"
#include "xfer/trace_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    xfer::TraceReader trace(std::make_unique<std::istringstream>(
                                std::string(reinterpret_cast<const char*>(data), size)),
                            "input");
    xfer::Engine engine;
    for (xfer::Event event; trace.next(event);) {
      engine.add(event);
      trace.stack(event.site);
      trace.string(event.name);
    }
    trace.command_line();
    engine.finish(trace.complete() ? xfer::Ending::kSucceeded : xfer::Ending::kBrokenOff);
  } catch (const xfer::TraceError&) {
  }
  return 0;
}
