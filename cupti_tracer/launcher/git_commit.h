#pragma once
// The commit that a folder's git work tree is at.

#include <filesystem>
#include <string>

namespace xfer::launcher {

/// 40 hex digits; empty: there is no work tree, or no git.
std::string git_commit(const std::filesystem::path& folder);

}  // namespace xfer::launcher
