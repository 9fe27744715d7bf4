#include "analyzer/facts/at_once.h"

#include <clang/AST/DeclCXX.h>
#include <llvm/ADT/StringSet.h>

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// The callee runs code that it is given, or may. `<<` on a stream runs only the library's: endl.
bool takes_code(const clang::FunctionDecl& callee) {
  if (callee.getOverloadedOperator() == clang::OO_LessLess) return false;
  return llvm::any_of(callee.parameters(), [](const clang::ParmVarDecl* parameter) {
    clang::QualType type = parameter->getType().getNonReferenceType();
    if (type->isPointerType()) type = type->getPointeeType();
    if (type->isFunctionType() || type->isMemberPointerType()) return true;
    const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
    return record != nullptr && (record->isLambda() || record->getName() == "function");
  });
}

/// Of namespace std: what waits for other threads, runs the program's code, or ends objects of the
/// program, as reset() does.
bool may_run_others(const clang::CXXRecordDecl& record) {
  static const llvm::StringSet<> names = {
      "thread",      "jthread",     "future",         "shared_future", "promise",
      "mutex",       "timed_mutex", "lock_guard",     "unique_lock",   "scoped_lock",
      "barrier",     "latch",       "packaged_task",  "function",      "condition_variable",
      "unique_ptr",  "shared_ptr",  "shared_mutex",   "any",           "condition_variable_any",
      "atomic_flag", "atomic",      "recursive_mutex"};
  return names.contains(record.getName());
}

bool waits_by_name(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kPrefixes[] = {
      // NVIDIA's and AMD's libraries.
      "cu", "nv", "npp", "nccl", "hip", "roc", "rccl", "__cuda", "__hip",
      // Other threads, other processes, time.
      "pthread_", "sem_", "thrd_", "mtx_", "cnd_", "MPI_", "omp_", "GOMP_", "sleep", "usleep",
      "nanosleep", "clock_nanosleep", "wait"};
  return llvm::any_of(kPrefixes, [&](llvm::StringRef prefix) { return name.starts_with(prefix); });
}

/// In std, or in a namespace of it (std::chrono); not in std::this_thread, whose functions wait.
bool is_of_std(const clang::FunctionDecl& callee) {
  for (const clang::DeclContext* at = callee.getDeclContext(); at != nullptr;
       at = at->getParent()) {
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(at);
    if (space != nullptr && space->getName() == "this_thread") return false;
    if (at->isStdNamespace()) return true;
  }
  return false;
}

}  // namespace

bool returns_at_once(const clang::FunctionDecl& callee) {
  if (callee.getIdentifier() == nullptr && !callee.isOverloadedOperator() &&
      !llvm::isa<clang::CXXConstructorDecl>(callee))
    return false;
  if (takes_code(callee)) return false;
  if (is_of_std(callee)) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
    return method == nullptr ? callee.getName() != "async" : !may_run_others(*method->getParent());
  }
  if (callee.getBuiltinID() != 0 || callee.hasAttr<clang::ConstAttr>() ||
      callee.hasAttr<clang::PureAttr>())
    return true;
  return callee.isExternC() && is_in_system_header(callee) && !waits_by_name(callee.getName());
}

}  // namespace xfer::analyzer
