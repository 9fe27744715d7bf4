#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace clang {
class ASTContext;
class NamedDecl;
}  // namespace clang

namespace xfer::analyzer {

/// The unit, or a header of it, declares something of this name: `ns::Class::method`, without
/// inline namespaces and template arguments.
bool declares(clang::ASTContext& context, llvm::StringRef qualified_name);

/// The name as programs write it, where a header gives a function another one by a macro:
/// `cuMemAlloc` of `cuMemAlloc_v2`, `cudaMemcpy` of `cudaMemcpy_ptds`.
std::string name_written(const clang::NamedDecl& decl);

}  // namespace xfer::analyzer
