#include "foreign/nsys_reader.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "foreign/sqlite_file.h"
#include "xfer/rules/report.h"
#include "xfer/trace.h"

namespace xfer::foreign {
namespace {

using std::string_view;

std::uint64_t not_negative(std::int64_t value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
}

/// PyTorch's emit_nvtx: "aten::add, seq = 12, op_id = 55".
string_view without_numbers_of_operators(string_view name) {
  for (const string_view number : {", op_id = ", ", seq = "})
    name = name.substr(0, name.find(number));
  return name;
}

/// Serialized global ids hold the thread in their low 24 bits, and the process in the next.
std::uint64_t process_of(std::int64_t global) {
  return static_cast<std::uint64_t>(global) >> 24 & 0xFFFFFF;
}

/// Each process counts for itself.
std::uint64_t correlation_of(std::int64_t process, std::int64_t correlation) {
  return correlation <= 0
             ? 0
             : process_of(process) << 32 | (static_cast<std::uint64_t>(correlation) & UINT32_MAX);
}

class NsysReader {
 public:
  NsysReader(SqliteFile& file, Run& run) : file_(file), run_(run) {}

  /// Tables that could be read in part only, one line each.
  const std::vector<std::string>& damaged() const { return damaged_; }

  /// In this order: texts and kinds first, since all else names them.
  void read() {
    read_texts();
    read_memory_kinds();
    read_about();
    read_stacks();
    read_calls();
    read_kernels();
    read_copies();
    read_fills();
    read_records();
    read_waits();
    read_allocations();
    read_ranges();
    if (migrations_ != 0)
      run_.metadata["left_out"] = "managed memory moved by itself " + std::to_string(migrations_) +
                                  " times (" + format_bytes(migrated_bytes_) +
                                  "): no rule judges that";
  }

 private:
  template <class Each>
  void each(const char* table, std::vector<const char*> columns, Each take) {
    if (!file_.has_table(table)) return;
    try {
      for (SqliteFile::Rows rows(file_, table, columns); rows.next();) take(rows);
    } catch (const SqliteError& error) {
      damaged_.push_back(std::string(table) + " is damaged: " + error.what());
    }
  }

  /// The same, of a table of work, whose columns come behind those that all of them have.
  template <class Each>
  void each_work(const char* table, std::initializer_list<const char*> more, Each take) {
    std::vector<const char*> columns{"start",    "end",           "deviceId",
                                     "streamId", "correlationId", "globalPid"};
    columns.insert(columns.end(), more);
    each(table, std::move(columns), take);
  }
  static Work work_of(const SqliteFile::Rows& row, Work::Kind kind);

  void read_texts();
  void read_memory_kinds();
  void read_about();
  void read_stacks();
  void read_calls();
  void read_kernels();
  void read_copies();
  void read_fills();
  void read_records();
  void read_waits();
  void read_allocations();
  void read_ranges();

  std::uint32_t text(std::int64_t id) const {
    const auto found = texts_.find(id);
    return found != texts_.end() ? found->second : 0;
  }
  Space space(std::optional<std::int64_t> kind) const {
    const auto found = kind ? kinds_.find(*kind) : kinds_.end();
    return found != kinds_.end() ? found->second : Space::kUnknown;
  }
  std::uint32_t thread(std::int64_t global);

  SqliteFile& file_;
  Run& run_;
  std::vector<std::string> damaged_;
  std::uint64_t migrations_ = 0;
  std::uint64_t migrated_bytes_ = 0;
  std::unordered_map<std::int64_t, std::uint32_t> texts_;  ///< by id
  std::map<std::int64_t, Space> kinds_{
      {0, Space::kPageable}, {1, Space::kPinned}, {2, Space::kDevice}, {3, Space::kDevice},
      {4, Space::kManaged},  {5, Space::kDevice}, {6, Space::kManaged}};
  /// By process and the number of an event's record.
  std::map<std::pair<std::uint64_t, std::int64_t>, std::pair<std::uint64_t, std::uint64_t>>
      records_;
};

void NsysReader::read_texts() {
  each("StringIds", {"id", "value"}, [&](const SqliteFile::Rows& row) {
    texts_.emplace(row.number_or(0, -1), run_.texts.number(row.text(1)));
  });
}

/// The file says what its numbers mean.
void NsysReader::read_memory_kinds() {
  each("ENUM_CUDA_MEM_KIND", {"id", "name"}, [&](const SqliteFile::Rows& row) {
    const string_view name = row.text(1);
    const auto ends = [&](string_view end) { return name.ends_with(end); };
    Space& space = kinds_[row.number_or(0, -1)];
    space = ends("_PAGEABLE")                                             ? Space::kPageable
            : ends("_PINNED")                                             ? Space::kPinned
            : ends("_MANAGED") || ends("_MANAGED_STATIC")                 ? Space::kManaged
            : ends("_DEVICE") || ends("_DEVICE_STATIC") || ends("_ARRAY") ? Space::kDevice
                                                                          : Space::kUnknown;
  });
}

void NsysReader::read_about() {
  std::map<std::int64_t, std::string> devices;
  each("TARGET_INFO_GPU", {"id", "name"},
       [&](const SqliteFile::Rows& row) { devices.emplace(row.number_or(0, 0), row.text(1)); });
  std::string names;
  for (const auto& [id, name] : devices) names += (names.empty() ? "" : "\n") + name;
  if (!names.empty()) run_.metadata["gpu.names"] = names;
  each("TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}, [&](const SqliteFile::Rows& row) {
    if (row.number(0)) run_.metadata["start_time_ns"] = std::to_string(*row.number(0));
  });
  each("TARGET_INFO_SYSTEM_ENV", {"name", "value"}, [&](const SqliteFile::Rows& row) {
    if (row.text(0) == "Hostname") run_.metadata["host_name"] = row.text(1);
  });
}

void NsysReader::read_stacks() {
  each("CUDA_CALLCHAINS", {"id", "symbol", "module", "stackDepth"},
       [&](const SqliteFile::Rows& row) {
         const auto depth = static_cast<std::size_t>(
             std::clamp<std::int64_t>(row.number_or(3, 0), 0, kMostFrames - 1));
         std::vector<NativeFrame>& stack =
             run_.stacks[static_cast<std::uint32_t>(row.number_or(0, 0))];
         if (stack.size() <= depth) stack.resize(depth + 1);
         stack[depth] = {text(row.number_or(1, -1)), text(row.number_or(2, -1))};
       });
}

std::uint32_t NsysReader::thread(std::int64_t global) {
  return static_cast<std::uint32_t>(global & 0xFFFFFF);
}

void NsysReader::read_calls() {
  for (const char* const table : {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_DRIVER"})
    each(table,
         {"start", "end", "globalTid", "correlationId", "nameId", "returnValue", "callchainId"},
         [&](const SqliteFile::Rows& row) {
           Call call;
           call.begin_ns = not_negative(row.number_or(0, 0));
           call.end_ns = not_negative(row.number_or(1, 0));
           call.thread = thread(row.number_or(2, 0));
           call.correlation = correlation_of(row.number_or(2, 0), row.number_or(3, 0));
           call.name = text(row.number_or(4, -1));
           call.failed = row.number_or(5, 0) != 0;
           call.stack = static_cast<std::uint32_t>(row.number_or(6, 0));
           run_.calls.push_back(call);
         });
}

/// By the columns that each table of work begins with here.
Work NsysReader::work_of(const SqliteFile::Rows& row, Work::Kind kind) {
  Work work;
  work.kind = kind;
  work.begin_ns = not_negative(row.number_or(0, 0));
  work.end_ns = not_negative(row.number_or(1, 0));
  work.device = static_cast<std::int16_t>(row.number_or(2, 0));
  work.stream = not_negative(row.number_or(3, 0));
  work.correlation = correlation_of(row.number_or(5, 0), row.number_or(4, 0));
  return work;
}

void NsysReader::read_kernels() {
  each_work("CUPTI_ACTIVITY_KIND_KERNEL", {"demangledName"}, [&](const SqliteFile::Rows& row) {
    Work work = work_of(row, Work::Kind::kKernel);
    work.name = text(row.number_or(6, -1));
    run_.work.push_back(work);
  });
}

void NsysReader::read_copies() {
  constexpr std::int64_t kFirstMigration = 11;  // of managed memory: no call makes these copies
  each_work(
      "CUPTI_ACTIVITY_KIND_MEMCPY",
      {"bytes", "copyKind", "srcKind", "dstKind", "srcDeviceId", "dstDeviceId"},
      [&](const SqliteFile::Rows& row) {
        if (row.number_or(7, 0) >= kFirstMigration) {
          ++migrations_;
          migrated_bytes_ += not_negative(row.number_or(6, 0));
          return;
        }
        Work work = work_of(row, Work::Kind::kCopy);
        work.bytes = not_negative(row.number_or(6, 0));
        work.from = space(row.number(8));
        work.to = space(row.number(9));
        const std::optional<std::int64_t> source = row.number(10), target = row.number(11);
        if (source && target && *source != *target && !is_host(work.from) && !is_host(work.to)) {
          work.device = static_cast<std::int16_t>(*source);
          work.other_device = static_cast<std::int16_t>(*target);
        }
        run_.work.push_back(work);
      });
}

void NsysReader::read_fills() {
  each_work("CUPTI_ACTIVITY_KIND_MEMSET", {"bytes", "memKind"}, [&](const SqliteFile::Rows& row) {
    Work work = work_of(row, Work::Kind::kFill);
    work.bytes = not_negative(row.number_or(6, 0));
    work.to = row.number(7) ? space(row.number(7)) : Space::kDevice;
    run_.work.push_back(work);
  });
}

void NsysReader::read_records() {
  each("CUPTI_ACTIVITY_KIND_CUDA_EVENT", {"streamId", "correlationId", "globalPid", "eventSyncId"},
       [&](const SqliteFile::Rows& row) {
         if (row.number(3))
           records_[{process_of(row.number_or(2, 0)), *row.number(3)}] = {
               correlation_of(row.number_or(2, 0), row.number_or(1, 0)),
               not_negative(row.number_or(0, 0))};
       });
}

void NsysReader::read_waits() {
  constexpr std::int64_t kEvent = 1, kStreamWait = 2, kContext = 4;  // 3: of a stream
  each("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
       {"deviceId", "streamId", "correlationId", "globalPid", "syncType", "eventSyncId"},
       [&](const SqliteFile::Rows& row) {
         const std::int64_t type = row.number_or(4, 0);
         if (type < kEvent || type > kContext) return;
         Wait wait;
         wait.device = static_cast<std::int16_t>(row.number_or(0, 0));
         const std::int64_t stream = row.number_or(1, -1);
         wait.stream = stream < 0 || stream == UINT32_MAX ? kNoStream : not_negative(stream);
         if ((type == kEvent || type == kStreamWait) && row.number(5)) {
           const auto record = records_.find({process_of(row.number_or(3, 0)), *row.number(5)});
           if (record != records_.end()) {
             wait.record = static_cast<std::int64_t>(record->second.first);
             wait.recorded_on = record->second.second;
           }
         }
         run_.waits.insert_or_assign(correlation_of(row.number_or(3, 0), row.number_or(2, 0)),
                                     wait);
       });
}

void NsysReader::read_allocations() {
  each("CUDA_GPU_MEMORY_USAGE_EVENTS",
       {"deviceId", "address", "bytes", "memKind", "correlationId", "globalPid"},
       [&](const SqliteFile::Rows& row) {
         if (space(row.number(3)) != Space::kDevice || row.number_or(1, 0) <= 0) return;
         run_.memory.insert_or_assign(
             correlation_of(row.number_or(5, 0), row.number_or(4, 0)),
             Memory{not_negative(row.number_or(1, 0)), not_negative(row.number_or(2, 0)),
                    static_cast<std::int16_t>(row.number_or(0, 0))});
       });
}

void NsysReader::read_ranges() {
  constexpr std::int64_t kPushPop = 59;
  each("NVTX_EVENTS", {"start", "end", "eventType", "text", "textId", "globalTid"},
       [&](const SqliteFile::Rows& row) {
         if (row.number_or(2, 0) != kPushPop || !row.number(1)) return;
         const string_view named = row.text(3);
         const std::string& name =
             named.empty() ? run_.texts.text(text(row.number_or(4, -1))) : std::string(named);
         if (name.empty()) return;
         Scope scope;
         scope.begin_ns = not_negative(row.number_or(0, 0));
         scope.end_ns = not_negative(*row.number(1));
         scope.thread = thread(row.number_or(5, 0));
         const bool is_operator = name.starts_with("aten::") || name.starts_with("autograd::");
         scope.kind = is_operator ? Scope::Kind::kOperator : Scope::Kind::kAnnotation;
         scope.name = run_.texts.number(without_numbers_of_operators(name));
         run_.scopes.push_back(scope);
       });
}

}  // namespace

Run read_nsys(const std::filesystem::path& path) {
  Run run;
  try {
    SqliteFile file(path);
    if (!file.has_table("StringIds"))
      throw TraceError(path.string() + " is a database, but not one of nsys: it has no StringIds");
    NsysReader reader(file, run);
    reader.read();
    for (const std::string& problem : reader.damaged())
      run.problems.push_back(path.string() + ": " + problem);
  } catch (const SqliteError& error) {
    throw TraceError(path.string() + " cannot be read: " + error.what());
  }
  if (run.calls.empty() && run.work.empty())
    throw TraceError(path.string() + (run.problems.empty()
                                          ? " has nothing of CUDA: record with nsys profile "
                                            "--trace=cuda"
                                          : " is damaged: nothing of CUDA can be read"));
  run.metadata["recorded_by"] = "Nsight Systems";
  return run;
}

}  // namespace xfer::foreign
