// Any bytes as a trace of torch.profiler, made into a report and a timeline. One that is refused is
// fine; a crash or a hang is not.

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "bytes_as_file.h"
#include "foreign/imported_trace.h"
#include "foreign/kineto_reader.h"
#include "xfer/report_builder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const xfer::fuzz::BytesAsFile file({reinterpret_cast<const char*>(data), size});
  try {
    const auto trace = xfer::foreign::imported_trace(xfer::foreign::read_kineto(file.path()));
    std::ostringstream out;
    xfer::write_json(xfer::build_report(*trace), out);
  } catch (const xfer::TraceError&) {
  }
  return 0;
}
