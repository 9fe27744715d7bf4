#include "analyzer/source_text.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace xfer::analyzer {
namespace {

clang::SourceLocation decode(std::uint32_t raw) {
  return clang::SourceLocation::getFromRawEncoding(raw);
}

clang::CharSourceRange file_range(Spot spot, const clang::ASTContext& context) {
  const clang::SourceLocation begin = decode(spot.begin);
  const clang::SourceLocation end = decode(spot.end);
  if (begin.isInvalid() || end.isInvalid()) return {};
  return clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(begin, end),
                                         context.getSourceManager(), context.getLangOpts());
}

}  // namespace

Location SourceText::location(Spot spot, const std::string& function) const {
  Location location;
  location.function = function;
  const clang::SourceLocation at = decode(spot.begin);
  if (at.isInvalid()) return location;
  const clang::SourceManager& sources = context_.getSourceManager();
  const clang::PresumedLoc presumed = sources.getPresumedLoc(sources.getFileLoc(at));
  if (presumed.isInvalid()) return location;
  location.file = presumed.getFilename();
  location.line = presumed.getLine();
  location.column = presumed.getColumn();
  return location;
}

std::string SourceText::raw(Spot spot) const {
  const clang::CharSourceRange range = file_range(spot, context_);
  if (range.isInvalid()) return {};
  return clang::Lexer::getSourceText(range, context_.getSourceManager(), context_.getLangOpts())
      .str();
}

std::string SourceText::text(Spot spot) const {
  std::string text;
  bool space = false;
  for (const char c : raw(spot)) {
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      space = !text.empty();
      continue;
    }
    if (space) text += ' ';
    space = false;
    text += c;
  }
  constexpr std::size_t kMost = 60;
  if (text.size() > kMost) text.replace(kMost - 3, std::string::npos, "...");
  return text;
}

std::optional<Replacement> SourceText::replace(Spot spot, const std::string& with) const {
  if (decode(spot.begin).isMacroID() || decode(spot.end).isMacroID()) return std::nullopt;
  const clang::CharSourceRange range = file_range(spot, context_);
  if (range.isInvalid()) return std::nullopt;
  const clang::SourceManager& sources = context_.getSourceManager();
  const auto [begin_file, begin] = sources.getDecomposedLoc(range.getBegin());
  const auto [end_file, end] = sources.getDecomposedLoc(range.getEnd());
  const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(begin_file);
  if (begin_file != end_file || !entry) return std::nullopt;
  return Replacement{entry->getName().str(), begin, end - begin, with};
}

std::optional<Replacement> SourceText::insert_before(Spot spot, const std::string& text) const {
  std::optional<Replacement> edit = replace({spot.begin, spot.begin}, text);
  if (edit) edit->length = 0;
  return edit;
}

std::string SourceText::indentation(Spot spot) const {
  return clang::Lexer::getIndentationForLine(decode(spot.begin), context_.getSourceManager()).str();
}

bool SourceText::before(Spot a, Spot b) const {
  return context_.getSourceManager().isBeforeInTranslationUnit(decode(a.begin), decode(b.begin));
}

}  // namespace xfer::analyzer
