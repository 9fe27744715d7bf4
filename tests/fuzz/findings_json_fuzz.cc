// Any bytes as a findings file, written again in every format. A file that is refused is fine.

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

#include "xfer/rules/report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  xfer::Report report;
  try {
    report = xfer::read_json(in, "input");
  } catch (const std::runtime_error&) {
    return 0;
  }
  const xfer::Report merged = xfer::merge(report, report);
  std::ostringstream out;
  xfer::write_text(merged, out, {});
  xfer::write_json(merged, out);
  xfer::write_sarif(merged, out);
  xfer::write_github(merged, out);
  xfer::write_gitlab(merged, out);
  xfer::write_html(merged, out, {});
  return 0;
}
