#pragma once
// The way in: a parsed translation unit is read once, and what is known of it afterwards is its
// facts.

#include <clang/Basic/SourceLocation.h>

#include <functional>
#include <string>
#include <vector>

#include "analyzer/facts/unit.h"

namespace clang {
class ASTContext;
class FunctionDecl;
}  // namespace clang

namespace xfer::analyzer {

struct ReadOptions {
  /// Functions to report in, besides the rule that system headers are never analysed. Empty: all.
  std::function<bool(const clang::FunctionDecl&)> scope;
  /// A function with more CFG blocks than this is skipped.
  unsigned block_cap = 3000;
  /// Where the parse met errors: of the statements there it is not known what they do.
  std::vector<clang::SourceLocation> errors;
  /// Where the project lies: what units tell each other names files from there.
  std::string root;
};

/// The functions of the traversal scope, and those with a body here that they speak of.
Unit read_unit(clang::ASTContext& context, const ModelSet& models, const ReadOptions& options);

}  // namespace xfer::analyzer
