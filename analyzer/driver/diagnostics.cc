#include "analyzer/driver/diagnostics.h"

#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/SmallString.h>

namespace xfer::lint {

void ErrorCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                      const clang::Diagnostic& info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  if (level < clang::DiagnosticsEngine::Error) return;
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
}

}  // namespace xfer::lint
