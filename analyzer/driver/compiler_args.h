#pragma once
// Turns a build's command for one file (GCC, Clang or nvcc, behind ccache and the like) into
// arguments for a Clang parse on this machine.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/driver/compile_db.h"
#include "analyzer/driver/library_headers.h"

namespace xfer::lint {

struct Toolchain {
  std::filesystem::path resource_dir;
  std::filesystem::path gcc_include;      ///< may be empty
  std::optional<LibraryHeaders> library;  ///< for a machine that has none
  std::string cuda_path;                  ///< --cuda-path; may be empty
};

struct ParseCommand {
  std::filesystem::path file;
  std::filesystem::path directory;
  /// For clang::createInvocation: the compiler, options with absolute paths; the file is not in it.
  std::vector<std::string> arguments;
  bool cuda = false;                 ///< or HIP
  std::vector<std::string> dropped;  ///< options of the build that the parse does not see
};

/// Throws UsageError when a .cu file needs a CUDA toolkit that is not there.
ParseCommand translate_command(const CompileCommand& command, const Toolchain& toolchain);

/// Folders that `#include` searches, in order: -iquote, -I, -isystem.
std::vector<std::filesystem::path> include_folders(const ParseCommand& command);

}  // namespace xfer::lint
