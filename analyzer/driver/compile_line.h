#pragma once
// A whole compile command, as a build system hands it to a compiler launcher: what it compiles, and
// where the object and the depfile go.

#include <optional>
#include <string>
#include <vector>

namespace xfer::lint {

struct CompileLine {
  std::string file;                   ///< as written
  std::string output;                 ///< -o
  std::string depfile;                ///< -MF; empty: none is wanted
  std::optional<std::string> target;  ///< -MT, -MQ: what the depfile names; else the output
};

/// `words`: the compiler first, response files expanded. Throws UsageError where it is no command
/// that compiles one file into one object.
CompileLine read_compile_line(const std::vector<std::string>& words);

}  // namespace xfer::lint
