#pragma once
// Spots as people see them: file, line, column and text.

#include <optional>
#include <string>

#include "analyzer/facts/unit.h"
#include "xfer/rules/finding.h"

namespace xfer::analyzer {

class SourceText {
 public:
  explicit SourceText(const Unit& unit) : unit_(unit) {}

  Location location(const Spot& spot, const std::string& function) const;
  /// The text of a range, on one line, at most 60 characters.
  std::string text(const Spot& spot) const;
  /// The whole text, as it is. Empty where a macro makes it.
  std::string raw(const Spot& spot) const;
  /// Replaces a range. None where it is not plain text in one file.
  std::optional<Replacement> replace(const Spot& spot, std::string with) const;
  std::optional<Replacement> insert_before(const Spot& spot, std::string text) const;
  /// The white space that the line of a range starts with.
  std::string indentation(const Spot& spot) const;
  /// `a` stands before `b`, in one file.
  bool before(const Spot& a, const Spot& b) const;

 private:
  const Unit& unit_;
};

}  // namespace xfer::analyzer
