#pragma once
// The Python calls of a stack, put in the place of the interpreter's own frames: where native code
// entered the interpreter, its evaluation loop stands for one or more Python calls.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "xfer/symbolize.h"

namespace xfer {

class PythonCalls {
 public:
  PythonCalls(const Trace& trace, std::uint32_t site, const std::filesystem::path& project_root);

  /// `native`: the calls at the next return address, going outwards. Where they are the evaluation
  /// loop, appends the Python calls that it made; true.
  bool take(const std::vector<SymbolFrame>& native, std::vector<SymbolFrame>& stack);
  /// Those whose loop was not seen: native stacks are cut, and an optimised loop may have no name.
  void take_rest(std::vector<SymbolFrame>& stack);

 private:
  std::vector<TracePythonFrame> calls_;
  std::size_t next_ = 0;
  std::string folder_;       // that relative file names are of
  std::string interpreter_;  // the module of the evaluation loop
  std::filesystem::path project_root_;
};

}  // namespace xfer
