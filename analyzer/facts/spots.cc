#include "analyzer/facts/spots.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace xfer::analyzer {

FileId Spots::file(clang::FileID id, const char* name) {
  if (id == last_id_ && name == last_name_) return last_;
  const auto [entry, added] = files_.try_emplace({id, name}, unit_.files.size());
  if (added) {
    const clang::SourceManager& sources = context_.getSourceManager();
    SourceFile made;
    made.name = name;
    if (const clang::OptionalFileEntryRef file = sources.getFileEntryRefForID(id))
      made.path = file->getName().str();
    made.text = sources.getBufferData(id).str();
    unit_.files.push_back(std::move(made));
  }
  last_id_ = id;
  last_name_ = name;
  return last_ = entry->second;
}

Spot Spots::of(clang::SourceRange range) {
  Spot spot;
  if (range.isInvalid()) return spot;
  const clang::SourceManager& sources = context_.getSourceManager();
  const clang::SourceLocation at = sources.getFileLoc(range.getBegin());
  const clang::PresumedLoc presumed = sources.getPresumedLoc(at);
  if (presumed.isInvalid()) return spot;
  const auto [id, offset] = sources.getDecomposedLoc(at);
  spot.file = file(id, presumed.getFilename());
  spot.at = offset;
  spot.line = presumed.getLine();
  spot.column = presumed.getColumn();
  spot.starts_in_macro = range.getBegin().isMacroID();
  spot.macro = spot.starts_in_macro || range.getEnd().isMacroID();
  const clang::CharSourceRange text = clang::Lexer::makeFileCharRange(
      clang::CharSourceRange::getTokenRange(range), sources, context_.getLangOpts());
  if (text.isInvalid()) return spot;
  const auto [begin_file, begin] = sources.getDecomposedLoc(text.getBegin());
  const auto [end_file, end] = sources.getDecomposedLoc(text.getEnd());
  if (begin_file != id || end_file != id) return spot;
  spot.begin = begin;
  spot.end = end;
  return spot;
}

}  // namespace xfer::analyzer
