#pragma once
// Suppressions: what a team does not want to hear of, in a file, in the manner of the sanitizers'.
//
//   # a comment
//   repeated-transfer:load_weights      rule:pattern; * is every rule
//   *:libvendor.so
//   round-trip:^src/legacy/*.cc$
//
// A pattern is looked for in each function, file and library of a finding's place and stack. `*`
// stands for anything, `^` and `$` bind it to the name's begin and end.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xfer/rules/rule.h"

namespace xfer {

class Suppressions {
 public:
  Suppressions() = default;
  /// Throws std::runtime_error with one line: a file that cannot be read, a line that is not
  /// understood.
  static Suppressions read(const std::filesystem::path& file);
  /// `name` stands for the file in messages.
  static Suppressions parse(std::string_view text, const std::string& name);

  bool empty() const { return rows_.empty(); }
  void add(const Suppressions& more);
  /// `names`: the functions, files and libraries of the finding's place and stack.
  bool match(Rule rule, const std::vector<std::string_view>& names) const;

 private:
  struct Row {
    std::optional<Rule> rule;  ///< none: every rule
    std::string pattern;       ///< bound at both ends
  };
  std::vector<Row> rows_;
};

}  // namespace xfer
