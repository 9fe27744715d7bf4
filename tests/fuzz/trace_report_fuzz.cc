// Any bytes as a trace file, made into a report and its page. A file that is refused is fine.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>

#include "xfer/report_builder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    xfer::TraceReader trace(std::make_unique<std::istringstream>(
                                std::string(reinterpret_cast<const char*>(data), size)),
                            "input");
    const xfer::Report report = xfer::build_report(trace);
    std::ostringstream out;
    xfer::write_json(report, out);
    xfer::write_html(report, out, {});
  } catch (const xfer::TraceError&) {
  }
  return 0;
}
