#pragma once
// Reads a trace file (.xft). A file that was cut off anywhere is readable up to there; a damaged
// block is skipped and stands in the stream as a kDropped event of unknown size (bytes 0). Memory:
// one block and the definitions (strings, modules, stacks), whatever the number of events. Not
// thread-safe.

#include <cstdint>
#include <filesystem>
#include <iosfwd>
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

/// A call of a Python function.
struct TracePythonFrame {
  std::string function;
  std::string file;
  unsigned line = 0;     ///< 0: not known
  bool entered = false;  ///< native code entered the interpreter for it

  friend bool operator==(const TracePythonFrame&, const TracePythonFrame&) = default;
};

class TraceReader {
 public:
  /// Throw TraceError when there is no such file, it is no trace, or of another version.
  explicit TraceReader(const std::filesystem::path& path);
  TraceReader(std::unique_ptr<std::istream> in, std::string name);
  ~TraceReader();

  /// The next event. False at the end: of the trace, or of what is readable of it.
  bool next(Event& event);

  /// After next() gave false: does the file hold the trace's end mark, and no damage before it?
  bool complete() const;
  /// What was wrong with the file, one line each: cut off where, damaged where.
  const std::vector<std::string>& problems() const;

  // What was defined so far; complete once next() gave false.
  std::string_view string(std::uint32_t id) const;  ///< empty when unknown
  std::span<const TraceFrame> stack(
      std::uint32_t id) const;  ///< innermost first; empty when unknown
  /// The Python calls of the stack, innermost first; empty where there are none.
  std::vector<TracePythonFrame> python_stack(std::uint32_t id) const;
  const TraceModule* module(std::uint32_t id) const;  ///< null when unknown
  const std::map<std::string, std::string, std::less<>>& metadata() const;
  std::vector<std::string> command_line() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace xfer
