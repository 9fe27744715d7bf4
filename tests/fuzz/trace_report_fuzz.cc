// Any bytes as a trace, made into a report, its page and its timeline: as a whole file, which may
// be refused, and as the records of one that is in order, without the checksum that keeps a fuzzer
// out.

#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>

#include "src/trace_format.h"
#include "xfer/report_builder.h"
#include "xfer/timeline.h"
#include "xfer/trace_reader.h"

namespace {

std::string file_of(std::string_view records) {
  xfer::format::FileHeader file{};
  std::copy(std::begin(xfer::format::kMagic), std::end(xfer::format::kMagic), file.magic);
  file.version = xfer::format::kVersion;
  file.header_bytes = sizeof(file);
  xfer::format::BlockHeader block{};
  block.magic = xfer::format::kBlockMagic;
  block.stored_bytes = block.raw_bytes = static_cast<std::uint32_t>(records.size());
  block.checksum =
      XXH3_64bits_withSeed(records.data(), records.size(), xfer::format::header_seed(block));
  std::string bytes(sizeof(file) + sizeof(block), '\0');
  std::memcpy(bytes.data(), &file, sizeof(file));
  std::memcpy(bytes.data() + sizeof(file), &block, sizeof(block));
  return bytes.append(records);
}

void report(const std::string& bytes) {
  try {
    xfer::TraceReader trace(std::make_unique<std::istringstream>(bytes), "input");
    const xfer::Report report = xfer::build_report(trace);
    std::ostringstream out;
    xfer::write_text(report, out, {});
    xfer::write_json(report, out);
    xfer::write_sarif(report, out, {});
    xfer::write_html(report, out, {});
  } catch (const xfer::TraceError&) {
  }
}

void timeline(const std::string& bytes) {
  const int file = memfd_create("trace", MFD_CLOEXEC);
  if (file < 0) std::abort();
  if (write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  try {
    std::ostringstream out;
    xfer::write_perfetto({"/proc/self/fd/" + std::to_string(file)}, {}, out);
  } catch (const xfer::TraceError&) {
  }
  close(file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  report(bytes);
  const std::string records = file_of(bytes);
  report(records);
  timeline(records);
  return 0;
}
