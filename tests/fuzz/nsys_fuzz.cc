// A database as nsys exports it, with any bytes of it changed: the input is a list of places, two
// bytes each, and of what stands there then. One that is refused is fine; a crash or a hang is not.

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "bytes_as_file.h"
#include "foreign/imported_trace.h"
#include "foreign/nsys_reader.h"
#include "xfer/report_builder.h"

namespace {

/// A step or two of a program, so that each table has rows.
constexpr const char* kDatabase = R"(
  CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
  INSERT INTO StringIds VALUES (1, 'cudaMemcpyAsync'), (2, 'cudaLaunchKernel'), (3, 'scale'),
    (4, 'cudaStreamSynchronize'), (5, 'step 1'), (6, 'main'), (7, '/home/me/app'), (8, 'cudaFree');
  CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT);
  INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA A100');
  CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER,
    correlationId INTEGER, nameId INTEGER, returnValue INTEGER, callchainId INTEGER);
  INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000, 2000, 16777300, 1, 1, 0, 1),
    (3000, 3500, 16777300, 2, 2, 0, 1), (4000, 9000, 16777300, 3, 4, 0, 0),
    (9500, 9900, 16777300, 4, 8, 0, 0);
  CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER,
    streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER,
    srcKind INTEGER, dstKind INTEGER);
  INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1500, 2500, 0, 7, 1, 16777216, 4096, 1, 0, 2);
  CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,
    streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER);
  INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (3600, 8000, 0, 7, 2, 16777216, 3);
  CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (deviceId INTEGER, streamId INTEGER,
    correlationId INTEGER, globalPid INTEGER, syncType INTEGER, eventSyncId INTEGER);
  INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (0, 7, 3, 16777216, 3, NULL);
  CREATE TABLE CUDA_CALLCHAINS (id INTEGER, symbol INTEGER, module INTEGER, stackDepth INTEGER);
  INSERT INTO CUDA_CALLCHAINS VALUES (1, 6, 7, 0);
  CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT,
    textId INTEGER, globalTid INTEGER);
  INSERT INTO NVTX_EVENTS VALUES (500, 9999, 59, NULL, 5, 16777300);
)";

std::string database() {
  sqlite3* made = nullptr;
  std::string bytes;
  sqlite3_int64 size = 0;
  if (sqlite3_open(":memory:", &made) != SQLITE_OK ||
      sqlite3_exec(made, kDatabase, nullptr, nullptr, nullptr) != SQLITE_OK)
    std::abort();
  unsigned char* const image = sqlite3_serialize(made, "main", &size, 0);
  if (image == nullptr) std::abort();
  bytes.assign(reinterpret_cast<const char*>(image), static_cast<std::size_t>(size));
  sqlite3_free(image);
  sqlite3_close(made);
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string whole = database();
  std::string bytes = whole;
  for (std::size_t i = 0; i + 2 < size; i += 3)
    bytes[(data[i] << 8 | data[i + 1]) % bytes.size()] = static_cast<char>(data[i + 2]);
  if (size % 3 == 1) bytes.resize(bytes.size() * data[size - 1] / 255);
  const xfer::fuzz::BytesAsFile file(bytes);
  try {
    const auto trace = xfer::foreign::imported_trace(xfer::foreign::read_nsys(file.path()));
    std::ostringstream out;
    xfer::write_json(xfer::build_report(*trace), out);
  } catch (const xfer::TraceError&) {
  }
  return 0;
}
