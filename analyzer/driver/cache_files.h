#pragma once
// Files of a folder that several processes write to and any of them may lose.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace xfer::lint {

/// Writes all at once or not at all, also when another process writes the same; false: not at all.
bool replace_file(const std::filesystem::path& file, std::string_view text);

/// A file's text; empty if it cannot be read.
std::string stored_text(const std::filesystem::path& file);

/// Notes that a file was used now.
void touch(const std::filesystem::path& file);

struct CachedFile {
  std::filesystem::file_time_type used;
  std::uintmax_t bytes = 0;
  std::filesystem::path file;
};

/// The files with one of the `extensions` that were not used for longest, such that the others have
/// `max_bytes` at most. Removes what a run that was killed left half written.
std::vector<CachedFile> longest_unused(const std::filesystem::path& folder,
                                       const std::vector<std::string>& extensions,
                                       std::uintmax_t max_bytes);

}  // namespace xfer::lint
