#pragma once
// Source ranges of a parse as spots in files.

#include <clang/Basic/SourceLocation.h>
#include <llvm/ADT/DenseMap.h>

#include <map>

#include "analyzer/facts/unit.h"

namespace clang {
class ASTContext;
}

namespace xfer::analyzer {

class Spots {
 public:
  Spots(const clang::ASTContext& context, Unit& unit) : context_(context), unit_(unit) {}

  Spot of(clang::SourceRange range);
  Spot of(clang::SourceLocation at) { return of(clang::SourceRange(at, at)); }

 private:
  FileId file(clang::FileID id, const char* name);

  const clang::ASTContext& context_;
  Unit& unit_;
  /// A file has several names where `#line` gives it some.
  std::map<std::pair<clang::FileID, std::string>, FileId> files_;
  clang::FileID last_id_;
  const char* last_name_ = nullptr;
  FileId last_;
};

}  // namespace xfer::analyzer
