#pragma once
// A recorded run as the engine reads it, whoever recorded it: its events in the order in which the
// calls were made, and the meaning of the numbers in them. trace_reader.h reads the traces that
// xfertrace records.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "xfer/event.h"

namespace xfer {

/// The file cannot be read at all; what() is one line that says why and what to do.
class TraceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct TraceModule {
  std::string path;
  std::string build_id;    ///< hex, or empty
  std::uint64_t bias = 0;  ///< address in the process less address in the file
};

/// A return address: an address in the module's file, or (module 0) one that lay in no module.
struct TraceFrame {
  std::uint32_t module = 0;
  std::uint64_t address = 0;

  friend bool operator==(const TraceFrame&, const TraceFrame&) = default;
  friend auto operator<=>(const TraceFrame&, const TraceFrame&) = default;
};

/// A call of a Python function; in a trace that another tool recorded, any call that it names.
struct TracePythonFrame {
  std::string function;
  std::string file;
  unsigned line = 0;        ///< 0: not known
  bool entered = false;     ///< native code entered the interpreter for it
  bool of_library = false;  ///< whatever its file: PyTorch's operators, packages
  bool is_native = false;   ///< no Python: a function of `module`, or an operator, or an annotation
  std::string module;

  friend bool operator==(const TracePythonFrame&, const TracePythonFrame&) = default;
};

class Trace {
 public:
  using Metadata = std::map<std::string, std::string, std::less<>>;

  virtual ~Trace() = default;

  /// The next event. False at the end: of the trace, or of what is readable of it.
  virtual bool next(Event& event) = 0;

  /// After next() gave false: does the trace have its end, and no damage before it?
  virtual bool complete() const = 0;
  /// Faults of the file, one line each: cut off where, damaged where.
  virtual const std::vector<std::string>& problems() const = 0;

  // Definitions so far; complete once next() gave false.
  virtual std::string_view string(std::uint32_t id) const = 0;  ///< empty when unknown
  /// Innermost first; empty when unknown.
  virtual std::span<const TraceFrame> stack(std::uint32_t id) const = 0;
  /// The Python calls of the stack, innermost first; empty where there are none.
  virtual std::vector<TracePythonFrame> python_stack(std::uint32_t id) const = 0;
  virtual const TraceModule* module(std::uint32_t id) const = 0;  ///< null when unknown
  virtual const Metadata& metadata() const = 0;
  virtual std::vector<std::string> command_line() const = 0;
};

/// Reads the file by its content. Throws TraceError when it cannot be read.
std::unique_ptr<Trace> open_trace(const std::filesystem::path& path);

}  // namespace xfer
