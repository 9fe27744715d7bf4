#pragma once
// Return addresses of a trace into functions, files and lines, from the modules' debug information
// (elfutils; separate debug files by build id or .gnu_debuglink included), after the traced process
// is gone. Inlined calls become frames of their own.
//
// Cost: a module's debug information is opened at its first address, a compilation unit's line
// table decoded at its first; every address is looked up once. Not thread-safe.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "xfer/rules/finding.h"
#include "xfer/trace.h"

namespace xfer {

enum class FrameKind : std::uint8_t {
  kUser,      ///< code of the program
  kOutside,   ///< compiled from a source outside the project's folder
  kLibrary,   ///< of a library that makes the call for the program: tensor libraries, thrust, std
  kInternal,  ///< of nobody's interest: CUDA, CUPTI, libc, the tracer, stubs that nvcc makes
};

struct SymbolFrame {
  Location location;   ///< function without its parameters; empty file: no debug information
  std::string module;  ///< path of the program or library; of a Python call, empty
  FrameKind kind = FrameKind::kUser;
  bool python = false;
};

class Symbolizer {
 public:
  /// `project_root`: sources elsewhere are kOutside; empty: no such distinction. `debug_folder`: of
  /// separate debug files, beside the places where systems have them; laid out as those are.
  explicit Symbolizer(const std::filesystem::path& project_root = {},
                      const std::filesystem::path& debug_folder = {});
  ~Symbolizer();

  /// The calls at this return address, innermost first: more than one where calls were inlined,
  /// never none. `module` may be null.
  const std::vector<SymbolFrame>& frames(const TraceModule* module, std::uint64_t return_address);

  /// All frames of a stack, innermost first: Python's calls where the interpreter made them.
  std::vector<SymbolFrame> stack(const Trace& trace, std::uint32_t site);

  /// Why debug information was not used, one line a module: "libx.so: changed since ...".
  const std::vector<std::string>& problems() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The frame that a finding is about: the innermost of the program's own, in the project if there
/// is one; else of a library; else the innermost. Null for an empty stack.
const SymbolFrame* user_frame(const std::vector<SymbolFrame>& stack);

/// The stack as a person reads it: from the user_frame outwards to main, without the frames of
/// libraries and of the system.
std::vector<SymbolFrame> folded(const std::vector<SymbolFrame>& stack);

/// The kind of a frame's code, from its function, file and module.
FrameKind frame_kind(const SymbolFrame& frame, const std::filesystem::path& project_root = {});

}  // namespace xfer
