#pragma once
// Turns an nvcc command line into options that Clang understands. An allow-list: whatever is not
// known to matter for parsing is left out, because Clang rejects or, worse, misreads nvcc's options
// (-use_fast_math is `-u se_fast_math` to it).

#include <filesystem>
#include <string>
#include <vector>

namespace xfer::lint {

struct NvccTranslation {
  std::vector<std::string>
      arguments;  ///< preprocessor and language options, no compiler, no inputs
  /// What -Xcompiler and the options that nvcc forwards say to the host compiler: still unfiltered.
  std::vector<std::string> host_arguments;
};

/// `arguments` without the compiler. `directory` is where relative option files lie.
NvccTranslation translate_nvcc(const std::vector<std::string>& arguments,
                               const std::filesystem::path& directory);

}  // namespace xfer::lint
