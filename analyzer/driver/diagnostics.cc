#include "analyzer/driver/diagnostics.h"

#include <clang/Basic/DiagnosticIDs.h>
#include <clang/Basic/DiagnosticLex.h>
#include <clang/Basic/DiagnosticSerialization.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/SmallString.h>

#include <algorithm>

namespace xfer::lint {

namespace {

bool is_about_ast_file(unsigned diagnostic) {
  using clang::DiagnosticIDs;
  static const unsigned kCategory =
      DiagnosticIDs::getCategoryNumberForDiag(clang::diag::err_fe_ast_file_malformed);
  return DiagnosticIDs::getCategoryNumberForDiag(diagnostic) == kCategory;
}

}  // namespace

void ErrorCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                      const clang::Diagnostic& info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  if (level < clang::DiagnosticsEngine::Error) return;
  if (errors_.empty()) header_missing_ = info.getID() == clang::diag::err_pp_file_not_found;
  pch_refused_ = pch_refused_ || is_about_ast_file(info.getID());
  ParseError error;
  llvm::SmallString<128> text;
  info.FormatDiagnostic(text);
  error.message = text.str().str();
  if (info.hasSourceManager() && info.getLocation().isValid()) {
    locations_.push_back(info.getLocation());
    const clang::SourceManager& sources = info.getSourceManager();
    const clang::SourceLocation place = sources.getExpansionLoc(info.getLocation());
    error.file = sources.getFilename(place).str();
    error.line = sources.getExpansionLineNumber(place);
    error.column = sources.getExpansionColumnNumber(place);
  }
  errors_.push_back(std::move(error));
  at_.push_back(info.getLocation());
}

void ErrorCollector::forgive(const std::vector<clang::SourceRange>& places,
                             const clang::SourceManager& sources) {
  std::vector<ParseError> kept;
  for (std::size_t index = 0; index < errors_.size(); ++index) {
    const clang::SourceLocation at =
        at_[index].isValid() ? sources.getFileLoc(at_[index]) : clang::SourceLocation();
    const bool inside =
        at.isValid() && std::any_of(places.begin(), places.end(), [&](clang::SourceRange place) {
          return !sources.isBeforeInTranslationUnit(at, place.getBegin()) &&
                 !sources.isBeforeInTranslationUnit(place.getEnd(), at);
        });
    if (!inside) kept.push_back(std::move(errors_[index]));
  }
  errors_ = std::move(kept);
}

}  // namespace xfer::lint
