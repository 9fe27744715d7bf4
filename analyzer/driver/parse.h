#pragma once
// One translation unit through Clang: parsed on the fast path (no function bodies outside the
// project, headers from a precompiled one), analysed, and what did not parse said. A unit can be
// kept and analysed again, without another parse, when more is known of what it calls.
//
// Changes the process's working directory and leaks the AST: for worker processes.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze.h"
#include "analyzer/driver/compiler_args.h"
#include "analyzer/facts/check_models.h"

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
  bool hash_inputs = false;  ///< fill UnitResult::inputs
};

struct UnitResult {
  std::vector<Finding> findings;
  std::vector<ParseError> errors;
  analyzer::AnalysisStats stats;
  analyzer::UnitSummaries summaries;          ///< files in it are relative to the root
  std::map<std::string, std::string> inputs;  ///< the project's files that it read -> content_hash
  analyzer::ModelCheck model_check;
  bool analysed = false;  ///< there was an AST to look at
  bool used_pch = false;
  bool pch_rejected = false;  ///< it was given one that spoilt the parse
  double parse_seconds = 0;
};

class Unit {
 public:
  /// `pch` may be empty. A parse that it spoilt, or may have spoilt, is done again without, so the
  /// result never depends on it.
  Unit(ParseCommand command, std::filesystem::path pch);
  ~Unit();

  /// The first call parses.
  UnitResult analyze(const analyzer::ModelSet& models, const UnitOptions& options);

 private:
  struct Parsed;
  void parse(const std::filesystem::path& pch, const std::string& root);
  /// The parse with `pch_` says nothing about the code.
  bool may_be_spoilt() const;

  ParseCommand command_;
  std::filesystem::path pch_;
  std::unique_ptr<Parsed> parsed_;
  double parse_seconds_ = 0;
  bool pch_rejected_ = false;
};

struct BuiltPch {
  bool built = false;
  std::vector<std::string> files;  ///< that it read
  /// Not built: of `header`, where the first error comes from; 0: not known.
  unsigned error_line = 0;
};

/// Precompiles `header` as the first thing of a file compiled by `command`.
BuiltPch build_pch(const ParseCommand& command, const std::filesystem::path& header,
                   const std::filesystem::path& output);

}  // namespace xfer::lint
