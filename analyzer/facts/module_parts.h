#pragma once
// Modules that a library's container runs, `nn::Sequential` and its kin: no call names their
// forward.

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <llvm/ADT/SetVector.h>

#include "analyzer/facts/types.h"
#include "analyzer/models/api_models.h"

namespace xfer::analyzer {

/// The forward of a module's class that takes so many arguments: its own, or that of a base; null:
/// there is none.
const clang::CXXMethodDecl* forward_of(const clang::CXXRecordDecl& record, unsigned args,
                                       const ModelSet& models);

/// The forwards of the team's modules that the unit's own code gives to containers.
llvm::SetVector<const clang::CXXMethodDecl*> forwards_of_parts(clang::ASTContext& context,
                                                               Types& types);

}  // namespace xfer::analyzer
