#pragma once
// Which heavy library headers a file starts with: what its precompiled header may hold.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace xfer::lint {

struct IncludeContext {
  std::vector<std::filesystem::path> folders;  ///< searched in order
  std::function<bool(const std::filesystem::path&)> is_project_file;
};

/// The library headers that `file` includes before anything that could change their meaning: the
/// scan follows the project's own headers, steps over declarations, the standard library's headers
/// and whatever stands under a condition, and ends at the first macro that steers libraries
/// (_GNU_SOURCE, EIGEN_USE_GPU). Empty when no heavy header is among them; else ends with the last
/// heavy one, in the order of the source. Cost: reads the project's headers that the file includes.
std::vector<std::string> leading_includes(const std::filesystem::path& file,
                                          const IncludeContext& context);

/// Each heavy one alone, the heaviest library first.
std::vector<std::string> heavy_ones(const std::vector<std::string>& headers);

/// `headers` without those after the last heavy one: what is worth precompiling of them.
std::vector<std::string> up_to_heavy(std::vector<std::string> headers);

/// The first folder of heavy libraries' headers below `folder`, such as torch/: such a folder
/// decides what those libraries are.
bool holds_heavy_library(const std::filesystem::path& folder);

}  // namespace xfer::lint
