#pragma once
// The CUPTI functions that the tracer uses, found at run time. CUPTI must match the program's CUDA,
// so it is looked for where that is: a libcupti that is loaded already, then beside the loaded
// cudart and in the places that toolkits and pip wheels keep it, then by its soname. This is the
// only code that names libcupti.

#include <cupti.h>

#include <cstdint>
#include <string>

namespace xfer::tracer {

#define XFER_CUPTI_REQUIRED(X)      \
  X(cuptiGetVersion)                \
  X(cuptiSubscribe)                 \
  X(cuptiEnableCallback)            \
  X(cuptiGetDeviceId)               \
  X(cuptiActivityRegisterCallbacks) \
  X(cuptiActivityEnable)            \
  X(cuptiActivityFlushAll)          \
  X(cuptiActivityGetNextRecord)

#define XFER_CUPTI_OPTIONAL(X)         \
  X(cuptiSubscribe_v2)                 \
  X(cuptiUnsubscribe)                  \
  X(cuptiGetResultString)              \
  X(cuptiGetCallbackName)              \
  X(cuptiGetTimestamp)                 \
  X(cuptiActivityGetNumDroppedRecords) \
  X(cuptiActivityFlushPeriod)          \
  X(cuptiActivityRegisterTimestampCallback)

struct CuptiApi {
#define XFER_CUPTI_FIELD(function) decltype(&::function) function = nullptr;
  XFER_CUPTI_REQUIRED(XFER_CUPTI_FIELD)
  XFER_CUPTI_OPTIONAL(XFER_CUPTI_FIELD)
#undef XFER_CUPTI_FIELD

  std::string path;           ///< of the library
  std::uint32_t version = 0;  ///< CUPTI_API_VERSION of the library

  /// Loads the library once and fills the table; emulated CUDA's own where the program uses that.
  /// False: `problem` says in one line why.
  bool load(bool emulated, std::string& problem);
  /// The meaning of a result code.
  std::string explain(CUptiResult result) const;
};

/// The path of the loaded library whose file name starts with `prefix`; empty when there is none.
std::string loaded_library(const char* prefix);
/// The library of this path, if it is loaded; null: it is not, or the path is empty.
void* loaded_handle(const std::string& path);
/// A function of the loaded library whose file name starts with `prefix`. Python loads libraries
/// where only those that need them see them, so it is looked for by the file.
void* loaded_function(const char* prefix, const char* name);

}  // namespace xfer::tracer
