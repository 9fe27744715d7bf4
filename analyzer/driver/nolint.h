#pragma once
// Suppression in source, as clang-tidy does it: NOLINT and NOLINT(globs) on the finding's line,
// NOLINTNEXTLINE on the line before, NOLINTBEGIN … NOLINTEND around it. Names are xfer-<slug>.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "xfer/rules/finding.h"

namespace xfer::lint {

/// The suppressions of one file.
class NolintFile {
 public:
  explicit NolintFile(std::string_view text);

  bool suppresses(std::string_view check, unsigned line) const;
  /// Lines of a NOLINTBEGIN without its NOLINTEND, or the reverse: they suppress nothing.
  const std::vector<unsigned>& unmatched() const { return unmatched_; }

 private:
  struct Range {
    unsigned first;
    unsigned last;
    std::string globs;  ///< comma-separated; "*" for a bare NOLINT
  };

  std::vector<Range> ranges_;
  std::vector<unsigned> unmatched_;
};

/// Files that it was not given are read at the first question about them.
class NolintFilter {
 public:
  /// The text of a file; of several with one name the first counts.
  void add(const std::string& file, std::string_view text) { files_.try_emplace(file, text); }
  bool suppresses(const Finding& finding);
  /// "file:line" of every suppression that is unmatched in the files asked about so far.
  std::vector<std::string> unmatched() const;

 private:
  std::map<std::string, NolintFile> files_;
};

}  // namespace xfer::lint
