#pragma once
// The acts of functions on streams and events, in the functions' own names for these.

#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/DenseMap.h>

#include <vector>

#include "analyzer/facts/stream_name.h"
#include "analyzer/facts/types.h"

namespace xfer::analyzer {

struct StreamAct {
  enum class Kind {
    kWork,    ///< begins work on the stream
    kWait,    ///< waits for the stream, or for the event
    kRecord,  ///< records the event on the stream
    kAwait,   ///< makes the stream wait for the event
    kWaitForAll,
    kUnknown,  ///< may wait for any stream, and make any wait for any
  };
  Kind kind = Kind::kUnknown;
  StreamName stream, event;
};

class StreamActs {
 public:
  StreamActs(clang::ASTContext& context, Types& types) : context_(context), types_(types) {}

  /// Of a launch, a call or a constructor, in the names of the function where it stands.
  std::vector<StreamAct> of(const clang::Expr& expr);

 private:
  std::vector<StreamAct> of_model(const clang::CallExpr& call, const FunctionModel& row) const;
  /// In the function's own names.
  const std::vector<StreamAct>& of_body(const clang::FunctionDecl& function);

  clang::ASTContext& context_;
  Types& types_;
  llvm::DenseMap<const clang::FunctionDecl*, std::vector<StreamAct>> known_;
};

}  // namespace xfer::analyzer
