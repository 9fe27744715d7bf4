#pragma once
// The root and the files of the user's project: xferlint reports findings and parses function
// bodies there, and prints paths relative to the root.

#include <filesystem>
#include <string_view>
#include <vector>

namespace xfer::lint {

/// The git work tree that holds all `files`, else the one that holds most of them (the others are
/// generated), else their deepest common folder, with the headers beside it if that is `src` or its
/// kin. `wanted` wins if set.
std::filesystem::path project_root(const std::vector<std::filesystem::path>& files,
                                   const std::filesystem::path& wanted);

/// True for a file below `root` that is not a fetched or installed dependency (CMake's _deps,
/// Python's site-packages, a library's own include folder). Lexical: no file is opened. Both
/// absolute.
bool is_project_file(std::string_view file, std::string_view root);

}  // namespace xfer::lint
