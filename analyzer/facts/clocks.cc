#include "analyzer/facts/clocks.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// The words of `cpuSecond`, `get_wall_time`, `MPI_Wtime`, `CUDATimer`, in lower case.
llvm::StringSet<> words_of(llvm::StringRef name) {
  llvm::StringSet<> words;
  std::string word;
  for (std::size_t at = 0; at <= name.size(); ++at) {
    const char letter = at < name.size() ? name[at] : '_';
    const bool ends_capitals = at + 1 < name.size() && llvm::isLower(name[at + 1]);
    const bool begins =
        llvm::isUpper(letter) && at > 0 && (llvm::isLower(name[at - 1]) || ends_capitals);
    if ((begins || !llvm::isAlpha(letter)) && !word.empty()) {
      words.insert(word);
      word.clear();
    }
    if (llvm::isAlpha(letter)) word += llvm::toLower(letter);
  }
  return words;
}

bool has_one_of(const llvm::StringSet<>& words, std::initializer_list<llvm::StringRef> wanted) {
  return llvm::any_of(wanted, [&](llvm::StringRef word) { return words.contains(word); });
}

/// The name of a function or of a class is one of a clock.
bool names_clock(const llvm::StringSet<>& words) {
  return has_one_of(words, {"timer", "stopwatch", "wtime", "clock", "walltime", "cputime", "tic",
                            "toc", "gettime", "gettimeofday"});
}

/// It speaks of time, as one of a clock may.
bool speaks_of_time(const llvm::StringSet<>& words) {
  return has_one_of(words, {"time", "second", "seconds", "timing"}) &&
         has_one_of(words, {"get", "start", "stop", "begin", "end", "read", "now", "current", "cpu",
                            "wall", "my", "record", "elapsed"});
}

/// Whether a clock is read there, and whether anything is launched, copied or allocated.
class Body : public clang::DynamicRecursiveASTVisitor {
 public:
  Body(Clocks& clocks, Types& types) : clocks_(clocks), types_(types) {}

  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const FunctionModel* row = callee == nullptr ? nullptr : model_of(*call, types_);
    works_ |=
        llvm::isa<clang::CUDAKernelCallExpr>(call) ||
        (row != nullptr && (row->kind == CallKind::kCopy || row->kind == CallKind::kAllocate));
    reads_ |= callee != nullptr && clocks_.reads_clock(*callee, call->getNumArgs());
    return !works_;
  }
  bool reads() const { return reads_; }
  bool works() const { return works_; }

 private:
  Clocks& clocks_;
  Types& types_;
  bool reads_ = false;
  bool works_ = false;
};

}  // namespace

bool Clocks::reads_clock(const clang::FunctionDecl& function, unsigned arguments) {
  if (const FunctionModel* row = types_.model(function, arguments)) return row->asks_time;
  if (is_in_system_header(function)) return false;
  const clang::FunctionDecl* key = function.getCanonicalDecl();
  // One that calls itself reads none by that.
  if (const auto [entry, added] = known_.try_emplace(key, false); !added) return entry->second;
  return known_[key] = is_clock(function);
}

bool Clocks::given_clock(const clang::CallExpr& call) {
  return llvm::any_of(call.arguments(), [&](const clang::Expr* argument) {
    const auto* named = llvm::dyn_cast_or_null<clang::DeclRefExpr>(without_casts(argument));
    const auto* given =
        named == nullptr ? nullptr : llvm::dyn_cast<clang::FunctionDecl>(named->getDecl());
    return given != nullptr && reads_clock(*given, given->getNumParams());
  });
}

bool Clocks::is_clock(const clang::FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  const clang::IdentifierInfo* name = function.getIdentifier();
  const llvm::StringSet<> words = words_of(name == nullptr ? "" : name->getName());
  const bool named = names_clock(words) ||
                     (method != nullptr && names_clock(words_of(method->getParent()->getName())));
  const clang::FunctionDecl* definition = nullptr;
  if (!function.hasBody(definition) || (method != nullptr && may_be_overridden(*method)))
    return named || speaks_of_time(words);
  Body body(*this, types_);
  body.TraverseStmt(definition->getBody());
  return !body.works() && (named || body.reads());
}

}  // namespace xfer::analyzer
