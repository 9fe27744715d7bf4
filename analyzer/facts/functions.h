#pragma once
// Functions that are given to functions: which one an argument is.

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include "analyzer/facts/types.h"

namespace xfer::analyzer {

bool is_std_function(clang::QualType type, Types& types);
/// std::function, or a pointer to a function.
bool holds_function(clang::QualType type, Types& types);

/// The function that an argument is, or whose object it is: a lambda, a functor; null: it may be
/// any.
const clang::FunctionDecl* function_given(const clang::Expr* argument, clang::ASTContext& context,
                                          Types& types);

}  // namespace xfer::analyzer
