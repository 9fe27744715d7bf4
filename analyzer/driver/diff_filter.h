#pragma once
// --diff-only: keeps the findings that a change touches. Device findings are not local (the move is
// wrong because of a line elsewhere), so a finding is kept when its place or any of its notes is on
// a changed line.

#include <filesystem>
#include <istream>
#include <map>
#include <string>
#include <vector>

#include "xfer/rules/finding.h"

namespace xfer::lint {

class ChangedLines {
 public:
  /// A unified diff; paths lose one leading component (a/, b/).
  static ChangedLines from_patch(std::istream& patch);
  /// `git diff -U0 REVISION` in `root`, and untracked files as wholly changed. Throws UsageError
  /// with git's own words.
  static ChangedLines from_git(const std::string& revision, const std::filesystem::path& root);

  bool contains(const std::string& file, unsigned line) const;
  bool touches(const Finding& finding) const;

 private:
  struct Lines {
    unsigned first;
    unsigned last;
  };
  std::map<std::string, std::vector<Lines>> changed_;
};

}  // namespace xfer::lint
