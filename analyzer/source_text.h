#pragma once
// Source ranges as people see them: file, line, column and text. Macro uses count as where they are
// written.

#include <string>

#include "analyzer/facts.h"
#include "xfer/rules/finding.h"

namespace clang {
class ASTContext;
}

namespace xfer::analyzer {

class SourceText {
 public:
  explicit SourceText(const clang::ASTContext& context) : context_(context) {}

  Location location(Spot spot, const std::string& function) const;
  /// The text of a range, on one line, at most 60 characters.
  std::string text(Spot spot) const;
  /// The whole text, as it is. Empty for macros.
  std::string raw(Spot spot) const;
  /// Replaces a range. None where it is not plain text in one file.
  std::optional<Replacement> replace(Spot spot, const std::string& with) const;
  std::optional<Replacement> insert_before(Spot spot, const std::string& text) const;
  /// The white space that the line of a range starts with.
  std::string indentation(Spot spot) const;
  bool before(Spot a, Spot b) const;

 private:
  const clang::ASTContext& context_;
};

}  // namespace xfer::analyzer
