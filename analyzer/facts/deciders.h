#pragma once
// Who decides on which device a function works: the parameters that its choice rests on, and
// whether a call gives for them what is the same in every run (`Agent agent(/*use_gpu=*/false)`),
// so that nothing is left to choose.

#include <clang/AST/Expr.h>
#include <llvm/ADT/DenseMap.h>

#include <cstdint>
#include <set>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/types.h"

namespace xfer::analyzer {

/// The parameters that decide about a device in the function, by their numbers; kThisParameter:
/// fields of its object do that it did not set itself.
std::set<std::uint32_t> deciding_parameters(const clang::FunctionDecl& function, Types& types);

/// A local variable of the function that keeps the value it starts with.
bool keeps_its_value(const clang::VarDecl& variable, const clang::FunctionDecl& function);

/// What a call gives for one parameter. `kept`: what was found of the caller's variables.
GivenArgument given_argument(const clang::Expr& call, std::uint32_t parameter,
                             const clang::FunctionDecl& caller,
                             llvm::DenseMap<const clang::VarDecl*, bool>& kept);

}  // namespace xfer::analyzer
