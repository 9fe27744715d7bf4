#include <algorithm>
#include <system_error>
#include <unordered_map>

#include "xfer/rules/report.h"

namespace xfer {
namespace {

namespace fs = std::filesystem;

// `path` relative to `root` when it lies below it, by name alone; empty otherwise.
std::string below(const fs::path& path, const fs::path& root) {
  const auto [end_of_root, rest] =
      std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  if (end_of_root != root.end() || rest == path.end()) return {};
  fs::path relative;
  for (auto part = rest; part != path.end(); ++part) relative /= *part;
  return relative.generic_string();
}

// A trailing slash would be an empty last component that no path below has.
fs::path without_trailing_slash(const fs::path& path) {
  return path.has_filename() || !path.has_parent_path() ? path : path.parent_path();
}

class Relativizer {
 public:
  explicit Relativizer(const fs::path& root) {
    std::error_code error;
    fs::path absolute = fs::absolute(root, error);
    if (error) absolute = root;
    lexical_ = without_trailing_slash(absolute.lexically_normal());
    real_ = fs::canonical(root, error);
    if (error) real_ = lexical_;
  }

  void apply(std::string& file) {
    if (file.empty()) return;
    const auto [entry, is_new] = known_.try_emplace(file);
    if (is_new) entry->second = relative(file);
    file = entry->second;
  }

 private:
  std::string relative(const std::string& file) const {
    const fs::path path = fs::path(file).lexically_normal();
    if (path.is_relative()) return path.generic_string();
    if (std::string found = below(path, lexical_); !found.empty()) return found;
    // The two may differ by a symbolic link only (/tmp, a build farm's mounts).
    std::error_code error;
    const fs::path real = fs::weakly_canonical(path, error);
    if (!error)
      if (std::string found = below(real, real_); !found.empty()) return found;
    return path.generic_string();
  }

  fs::path lexical_;
  fs::path real_;
  std::unordered_map<std::string, std::string> known_;
};

}  // namespace

fs::path project_root_of(const fs::path& folder) {
  std::error_code error;
  fs::path start = fs::absolute(folder, error);
  if (error) return folder;
  start = without_trailing_slash(start.lexically_normal());
  for (fs::path at = start; at.has_relative_path(); at = at.parent_path())
    if (fs::exists(at / ".git", error)) return at;
  return start;
}

void make_relative(Report& report, const fs::path& root) {
  Relativizer relativizer(root);
  for (Finding& finding : report.findings) {
    relativizer.apply(finding.location.file);
    for (Note& note : finding.notes) relativizer.apply(note.location.file);
    for (Location& frame : finding.stack) relativizer.apply(frame.file);
    if (finding.fix)
      for (Replacement& replacement : finding.fix->replacements)
        relativizer.apply(replacement.file);
  }
}

}  // namespace xfer
