#pragma once
// The values that a function gives to calls and fields: whether a value is the same in every run
// (`Agent agent(/*use_gpu=*/false)`), or on which of the function's own parameters and fields it
// rests.

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/DenseMap.h>

#include <cstdint>

#include "analyzer/facts/choice.h"

namespace xfer::analyzer {

/// A cache by variables of a function: whether they keep the value that they start with.
using KeptVariables = llvm::DenseMap<const clang::VarDecl*, bool>;

// Below `giver` is the function in which an expression stands; the whole file for the initialiser
// of a global variable.

/// A local variable of the giver that keeps the value it starts with.
bool keeps_its_value(const clang::VarDecl& variable, const clang::DeclContext& giver);

/// The value of an expression.
GivenValue given_value(const clang::Expr& expr, const clang::DeclContext& giver,
                       KeptVariables& kept);

/// The value that a call gives for one parameter.
GivenValue given_argument(const clang::Expr& call, std::uint32_t parameter,
                          const clang::DeclContext& giver, KeptVariables& kept);

}  // namespace xfer::analyzer
