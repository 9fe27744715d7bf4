#pragma once
// Adds to a finished trace what only the process's parent knows: how it ended.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace xfer {

using TraceMetadata = std::vector<std::pair<std::string, std::string>>;

/// As a further block behind the last one, whole or not. False when the file is no trace, or cannot
/// be written; it is then as it was.
bool append_metadata(const std::filesystem::path& trace, const TraceMetadata& metadata);

}  // namespace xfer
