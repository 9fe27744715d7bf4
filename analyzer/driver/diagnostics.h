#pragma once
// Collects Clang's errors while a unit is parsed. Warnings and notes are dropped.

#include <clang/Basic/Diagnostic.h>

#include <string>
#include <vector>

#include "analyzer/driver/parse.h"

namespace xfer::lint {

class ErrorCollector : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& info) override;

  std::vector<ParseError> take() { return std::move(errors_); }
  /// Errors in these places are none: see device_code.h. `locations` keeps them.
  void forgive(const std::vector<clang::SourceRange>& places, const clang::SourceManager& sources);
  const std::vector<clang::SourceLocation>& locations() const { return locations_; }
  bool any() const { return !errors_.empty(); }
  /// One of them is about a precompiled header that is damaged or does not fit, not about the code.
  bool pch_refused() const { return pch_refused_; }
  /// The first of them is about a header that is not there.
  bool header_missing() const { return header_missing_; }

 private:
  std::vector<ParseError> errors_;
  std::vector<clang::SourceLocation> at_;  ///< of each error; invalid: of none
  std::vector<clang::SourceLocation> locations_;
  bool pch_refused_ = false;
  bool header_missing_ = false;
};

}  // namespace xfer::lint
