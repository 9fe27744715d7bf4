#pragma once

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include "analyzer/facts/types.h"

namespace xfer::analyzer {

/// `net->to(device)` in `for (auto& net : nets) net->to(device);`, which moves whatever is in the
/// list to one place. Null: the loop may leave an element out, or end early.
const clang::CXXMemberCallExpr* moves_each(const clang::CXXForRangeStmt& loop, Types& types,
                                           clang::ASTContext& context);

}  // namespace xfer::analyzer
