#include "analyzer/facts/clocks.h"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// The words of `cpuSecond`, `get_wall_time`, `MPI_Wtime`, in lower case.
llvm::StringSet<> words_of(llvm::StringRef name) {
  llvm::StringSet<> words;
  std::string word;
  for (std::size_t at = 0; at <= name.size(); ++at) {
    const char letter = at < name.size() ? name[at] : '_';
    const bool begins = llvm::isUpper(letter) && at > 0 && llvm::isLower(name[at - 1]);
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

bool is_named_as_clock(llvm::StringRef name) {
  const llvm::StringSet<> words = words_of(name);
  if (has_one_of(words, {"timer", "stopwatch", "wtime", "clock", "walltime", "cputime", "tic",
                         "toc", "gettime", "gettimeofday"}))
    return true;
  return has_one_of(words, {"time", "second", "seconds", "timing"}) &&
         has_one_of(words, {"get", "start", "stop", "begin", "end", "read", "now", "current", "cpu",
                            "wall", "my", "record", "elapsed"});
}

/// A clock is read there, and nothing is launched, copied or allocated.
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
  bool only_reads_clock() const { return reads_ && !works_; }

 private:
  Clocks& clocks_;
  Types& types_;
  bool reads_ = false;
  bool works_ = false;
};

}  // namespace

bool Clocks::reads_clock(const clang::FunctionDecl& function, unsigned arguments) {
  if (const FunctionModel* row = types_.model(function, arguments)) return row->asks_time;
  const clang::FunctionDecl* definition = nullptr;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (!function.hasBody(definition) || (method != nullptr && may_be_overridden(*method))) {
    if (is_in_system_header(function)) return false;
    const clang::IdentifierInfo* name = function.getIdentifier();
    return (name != nullptr && is_named_as_clock(name->getName())) ||
           (method != nullptr && is_named_as_clock(method->getParent()->getName()));
  }
  if (is_in_system_header(function)) return false;
  if (const auto [entry, added] = known_.try_emplace(definition, false); !added)
    return entry->second;
  Body body(*this, types_);
  body.TraverseStmt(definition->getBody());
  return known_[definition] = body.only_reads_clock();
}

}  // namespace xfer::analyzer
