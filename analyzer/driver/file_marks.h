#pragma once
// Marks: the state in which a parse found a file, in a few characters, and whether it would find
// the same now. Files that it looked for in vain have one too: a new file may be read instead.

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

namespace xfer::lint {

/// Absolute path -> mark: one of the constants, a time_mark, a content_mark, or both.
using FileMarks = std::map<std::string, std::string>;

inline constexpr const char* kMissing = "-";
inline constexpr const char* kPresent = "+";  ///< only looked for: its content does not matter

/// By content.
std::string content_mark(std::string_view text);
/// By size and time of the last change; of a folder: which files are in it.
std::string time_mark(std::uint64_t size, std::int64_t seconds, std::int64_t nanoseconds);

/// The files whose content a parse read, as a compiler lists its dependencies. `shared`: the marks
/// of its precompiled header; what that was made of, the parse itself may only have looked for.
std::set<std::string> files_read(const FileMarks& marks, const FileMarks& shared);

/// A line for each file: its mark, a tab, its path.
std::string to_lines(const FileMarks& marks);
/// Nothing for lines that are none.
std::optional<FileMarks> marks_from_lines(std::string_view lines);

/// The files as they are now. Each is looked at once, however many ask; from any thread.
class FilesNow {
 public:
  bool unchanged(const std::string& path, const std::string& mark);
  bool unchanged(const FileMarks& marks);

 private:
  struct Known {
    std::string time;  ///< empty: it is not there
    std::optional<std::string> content;
  };

  std::mutex mutex_;
  std::unordered_map<std::string, Known> known_;
};

}  // namespace xfer::lint
