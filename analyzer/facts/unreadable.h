#pragma once
// Statements that a parse could not read. One with an error (a header is missing) is in the AST
// only in parts, or not at all: its effect on the variables that it names is unknown, and must not
// be taken for none.

#include <clang/Basic/SourceLocation.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringSet.h>

#include <map>
#include <vector>

namespace clang {
class LangOptions;
class SourceManager;
}  // namespace clang

namespace xfer::analyzer {

class Unreadable {
 public:
  /// `errors`: where the parser met them. Those in system headers say nothing of the code that is
  /// analysed.
  Unreadable(const clang::SourceManager& sources, const clang::LangOptions& language,
             llvm::ArrayRef<clang::SourceLocation> errors);

  struct Part {
    llvm::StringSet<> names;  ///< all identifiers in statements with errors
    bool leaves = false;      ///< one leaves its branch, its loop or, before its end, the function
  };
  /// The statements that could not be read in a range of one file.
  Part in(clang::SourceRange range) const;
  /// The name stands in some statement that could not be read.
  bool names(llvm::StringRef name) const { return all_.contains(name); }

 private:
  struct Statement {
    unsigned error = 0;  ///< offset in its file
    unsigned next = 0;   ///< offset of what follows the statement
    Part part;
  };
  void read_file(clang::FileID file, llvm::ArrayRef<unsigned> errors,
                 const clang::LangOptions& language);

  const clang::SourceManager& sources_;
  std::map<clang::FileID, std::vector<Statement>> statements_;
  llvm::StringSet<> all_;
};

}  // namespace xfer::analyzer
