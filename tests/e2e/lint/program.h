#pragma once
// Runs a program and keeps what it printed, and a project folder for xferlint to run on.

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "unit/analyzer/driver/temp_folder.h"

namespace xfer::lint {

struct Outcome {
  int exit_code = -1;  ///< 128 + N for signal N
  std::string out;
  std::string err;
};

struct Invocation {
  std::vector<std::string> command;
  std::map<std::string, std::string> environment = {};  ///< over the current one
  std::string folder = ".";
  std::string input = {};
};

Outcome run(const Invocation& invocation);

/// A project in a temporary folder, with its own cache of precompiled headers.
class Project : public TempFolder {
 public:
  /// Lists `files` in build/compile_commands.json, compiled with the mock of LibTorch and `flags`.
  void database(const std::vector<std::string>& files, const std::string& flags = "") const;
  /// The same with a whole command line for each file.
  void commands(const std::map<std::string, std::string>& command_by_file) const;

  /// xferlint with `arguments` in the project's folder.
  Outcome lint(std::vector<std::string> arguments, const std::string& input = "",
               std::map<std::string, std::string> environment = {}) const;
  /// The same with --format json -p build; the report.
  nlohmann::json findings(std::vector<std::string> arguments = {}) const;

  void git(std::vector<std::string> arguments) const;
};

/// "rule file:line" of each finding.
std::vector<std::string> places(const nlohmann::json& report);

/// A program with one finding: a discarded transfer on line 3, with a fix.
inline constexpr const char* kDiscard =
    "#include <torch/torch.h>\n"
    "void move(torch::Tensor x) {\n"
    "  x.to(torch::kCUDA);\n"
    "}\n";

/// The same in a function that goes on with the tensor: with the fix nothing is left to find.
inline constexpr const char* kDiscardThenUse =
    "#include <torch/torch.h>\n"
    "torch::Tensor move(torch::Tensor x) {\n"
    "  x.to(torch::kCUDA);\n"
    "  return x;\n"
    "}\n";

/// The same, right.
inline constexpr const char* kClean =
    "#include <torch/torch.h>\n"
    "torch::Tensor move(torch::Tensor x) {\n"
    "  return x.to(torch::kCUDA);\n"
    "}\n";

}  // namespace xfer::lint
