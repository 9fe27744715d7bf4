#pragma once
// One translation unit through Clang: parsed on the fast path (no function bodies outside the
// project, headers from a precompiled one), analysed, and what did not parse said.
//
// Changes the process's working directory and leaks the AST: for worker processes.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze.h"
#include "analyzer/driver/compiler_args.h"

namespace xfer::lint {

struct ParseError {
  std::string file;  ///< empty: the command line
  unsigned line = 0;
  unsigned column = 0;
  std::string message;
};

struct UnitOptions {
  std::filesystem::path root;
  analyzer::AnalysisOptions analysis;
  bool check_models = false;
};

struct UnitResult {
  std::vector<Finding> findings;
  std::vector<ParseError> errors;
  analyzer::AnalysisStats stats;
  analyzer::ModelCheck model_check;
  bool analysed = false;  ///< there was an AST to look at
  bool used_pch = false;
  bool pch_rejected = false;  ///< it was given one that spoilt the parse
  double parse_seconds = 0;
};

/// `pch` may be empty. A parse with a precompiled header that meets any error is done again
/// without, so the result never depends on it.
UnitResult analyze_unit(const ParseCommand& command, const std::filesystem::path& pch,
                        const analyzer::ModelSet& models, const UnitOptions& options);

/// Precompiles `header` as the first thing of a file compiled by `command`. The files it read;
/// nothing if it did not compile.
std::optional<std::vector<std::string>> build_pch(const ParseCommand& command,
                                                  const std::filesystem::path& header,
                                                  const std::filesystem::path& output);

}  // namespace xfer::lint
