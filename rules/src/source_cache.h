#pragma once
// The lines of source files, each file read once. Line numbers count from 1; a file that cannot be
// read, or a line that it does not have, is an empty line. Not thread-safe.
//
// A file is looked for where its path says, below each folder that is given, and, when its project
// has moved, below them by the end of its path.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "xfer/rules/report.h"

namespace xfer {

/// Where the sources of a report may be: `root` if that is given, the projects of its runs, the
/// current folder, the folders that the programs ran in.
std::vector<std::filesystem::path> source_folders(const Report& report,
                                                  const std::filesystem::path& root);

class SourceCache {
 public:
  /// Relative files are looked for below `root` (the current directory when empty).
  explicit SourceCache(std::filesystem::path root) : folders_{std::move(root)} {}
  explicit SourceCache(std::vector<std::filesystem::path> folders) : folders_(std::move(folders)) {}

  /// Without its line end. The view lives as long as the cache.
  std::string_view line(const std::string& file, std::size_t number);

  std::size_t line_count(const std::string& file);

  /// Line and byte column (both from 1) of a byte offset; {0, 0} when the file has no such offset.
  std::pair<std::size_t, std::size_t> position(const std::string& file, std::uint64_t offset);

 private:
  struct File {
    std::string text;
    std::vector<std::size_t> starts;  ///< of each line; one past the last line's end closes it
  };

  const File& load(const std::string& file);
  std::filesystem::path find(const std::string& file) const;

  std::vector<std::filesystem::path> folders_;
  std::map<std::string, File, std::less<>> files_;
};

}  // namespace xfer
