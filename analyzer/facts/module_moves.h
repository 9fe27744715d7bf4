#pragma once
// Code that moves modules, or that keeps one where others get hold of it, who may move it then.

#include <clang/AST/ExprCXX.h>

#include "analyzer/facts/types.h"

namespace xfer::analyzer {

/// The call is of a module's method that moves the module, or what it holds, or makes another
/// holder of some module.
bool moves_module(const clang::CXXMemberCallExpr& call, Types& types);
/// So does the body.
bool moves_or_keeps_module(const clang::FunctionDecl& body, Types& types);
/// A function of a library puts what it is given into something: `list.push_back(net)`.
bool keeps_module(const clang::FunctionDecl& callee, unsigned args, Types& types);
/// The copy of a module's handle that an expression makes; null: it makes none.
const clang::CXXConstructExpr* module_copied(const clang::Expr& expr, Types& types);

}  // namespace xfer::analyzer
