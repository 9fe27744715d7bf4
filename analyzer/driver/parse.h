#pragma once
// One source file through Clang: parsed on the fast path (no function bodies outside the project,
// headers from a precompiled one), read into facts, and what did not parse said.
//
// Changes the process's working directory and leaks the AST: for worker processes.

#include <filesystem>
#include <string>

#include "analyzer/driver/compiler_args.h"
#include "analyzer/driver/facts_file.h"
#include "analyzer/driver/file_marks.h"
#include "analyzer/facts/check_models.h"

namespace xfer::lint {

struct ParseOptions {
  std::filesystem::path root;
  bool check_models = false;
};

struct ParseResult {
  FileFacts facts;
  analyzer::ModelCheck model_check;
  FileMarks read;  ///< with a precompiled header: besides what that was made of
  bool used_pch = false;
  bool pch_rejected = false;  ///< it was given one that spoilt the parse
  double parse_seconds = 0;
  double read_seconds = 0;  ///< from the AST to facts
};

/// `pch` may be empty. A parse that it spoilt, or may have spoilt, is done again without, so the
/// result never depends on it.
ParseResult parse(const ParseCommand& command, const std::filesystem::path& pch,
                  const analyzer::ModelSet& models, const ParseOptions& options);

struct BuiltPch {
  bool built = false;
  FileMarks read;
  /// Not built: of `header`, where the first error comes from; 0: not known.
  unsigned error_line = 0;
};

/// Precompiles `header` as the first thing of a file compiled by `command`.
BuiltPch build_pch(const ParseCommand& command, const std::filesystem::path& header,
                   const std::filesystem::path& output);

}  // namespace xfer::lint
