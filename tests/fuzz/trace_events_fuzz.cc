// Any bytes as the records of a trace, without the checksums that keep a fuzzer out: decoded and
// put through the engine.

#include <cstddef>
#include <cstdint>

#include "src/trace_format.h"
#include "xfer/engine.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  xfer::format::Cursor cursor(std::string_view(reinterpret_cast<const char*>(data), size));
  xfer::format::EventCoder coder;
  xfer::Engine engine;
  while (!cursor.at_end()) {
    const xfer::Event event = coder.take(cursor);
    if (cursor.ok()) engine.add(event);
  }
  engine.finish();
  return 0;
}
