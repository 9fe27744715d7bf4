#pragma once
// Which translation units to lint, and how each is compiled: from compile_commands.json, or from
// the flags after --.

#include <filesystem>
#include <string>
#include <vector>

#include "analyzer/driver/options.h"

namespace xfer::lint {

struct CompileCommand {
  std::filesystem::path file;          ///< absolute, normalised
  std::filesystem::path directory;     ///< absolute: what relative paths in `arguments` start from
  std::vector<std::string> arguments;  ///< the compiler first, response files expanded
};

struct Selection {
  std::vector<CompileCommand> commands;
  std::filesystem::path database;  ///< the folder; empty for flags after --
  /// All files of the database: what the project root is derived from.
  std::vector<std::filesystem::path> all_files;
  std::vector<std::string> remarks;  ///< what a person should know, one line each
};

/// `options` of --as-compiler, completed by the compile command: facts go where its object would.
Options with_compile_line(const Options& options);

/// Throws UsageError when there is no database, it cannot be read, or a pattern matches nothing.
Selection select_commands(const Options& options);

}  // namespace xfer::lint
