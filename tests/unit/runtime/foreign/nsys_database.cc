#include "nsys_database.h"

#include <sqlite3.h>

#include <stdexcept>

namespace xfer::test {
namespace {

constexpr const char* kTables = R"(
  CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT);
  INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H100');
  CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER,
    globalTid INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER,
    callchainId INTEGER);
  CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,
    contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,
    demangledName INTEGER, shortName INTEGER);
  CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER,
    streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER,
    srcKind INTEGER, dstKind INTEGER);
  CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT,
    globalTid INTEGER, textId INTEGER);
  CREATE TABLE CUDA_CALLCHAINS (id INTEGER, symbol INTEGER, module INTEGER, stackDepth INTEGER);
)";
constexpr const char* kLater = R"(
  CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId INTEGER,
    streamId INTEGER, correlationId INTEGER, globalPid INTEGER, syncType INTEGER, eventId INTEGER);
  CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start INTEGER, globalPid INTEGER, deviceId INTEGER,
    address INTEGER, bytes INTEGER, memKind INTEGER, memoryOperationType INTEGER,
    correlationId INTEGER);
  CREATE TABLE ENUM_CUDA_MEM_KIND (id INTEGER PRIMARY KEY, name TEXT, label TEXT);
  INSERT INTO ENUM_CUDA_MEM_KIND VALUES (0, 'CUDA_MEMOPR_MEMORY_KIND_PAGEABLE', 'Pageable'),
    (1, 'CUDA_MEMOPR_MEMORY_KIND_PINNED', 'Pinned'),
    (2, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE', 'Device');
)";
/// Process 1 and its thread 84, as nsys serializes them.
constexpr int kProcess = 1 << 24;
constexpr int kThread = kProcess + 84;

std::string row(std::initializer_list<long> values) {
  std::string text;
  for (const long value : values) text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

}  // namespace

NsysDatabase::NsysDatabase(const std::filesystem::path& path, bool later) {
  if (sqlite3_open(path.c_str(), &database_) != SQLITE_OK)
    throw std::runtime_error(sqlite3_errmsg(database_));
  run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  run(kTables);
  if (later) run(kLater);
}

NsysDatabase::~NsysDatabase() { sqlite3_close(database_); }

NsysDatabase& NsysDatabase::run(const std::string& sql) {
  if (sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    throw std::runtime_error(sqlite3_errmsg(database_) + (" in " + sql));
  return *this;
}

int NsysDatabase::text(const std::string& value) {
  run("INSERT INTO StringIds VALUES (" + std::to_string(++texts_) + ", '" + value + "')");
  return texts_;
}

NsysDatabase& NsysDatabase::call(const std::string& name, int begin, int end, int correlation,
                                 int returned, int stack) {
  return run("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" +
             row({begin, end, 0, kThread, correlation, text(name), returned, stack}) + ")");
}

NsysDatabase& NsysDatabase::kernel(const std::string& name, int begin, int end, int correlation) {
  const int number = text(name);
  return run("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" +
             row({begin, end, 0, 1, 7, correlation, kProcess, number, number}) + ")");
}

NsysDatabase& NsysDatabase::copy(const std::string& kinds, int bytes, int begin, int end,
                                 int correlation) {
  return run("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (" +
             row({begin, end, 0, 7, correlation, kProcess, bytes}) + ", " + kinds + ")");
}

NsysDatabase& NsysDatabase::wait(int type, int correlation, int stream) {
  return run("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (" +
             row({1, 1, 0, stream, correlation, kProcess, type, 0}) + ")");
}

NsysDatabase& NsysDatabase::range(const std::string& name, int begin, int end) {
  return run("INSERT INTO NVTX_EVENTS VALUES (" + row({begin, end, 59}) + ", '" + name + "', " +
             row({kThread}) + ", NULL)");
}

}  // namespace xfer::test
