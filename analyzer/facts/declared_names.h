#pragma once

#include <llvm/ADT/StringRef.h>

namespace clang {
class ASTContext;
}

namespace xfer::analyzer {

/// The unit, or a header of it, declares something of this name: `ns::Class::method`, without
/// inline namespaces and template arguments.
bool declares(clang::ASTContext& context, llvm::StringRef qualified_name);

}  // namespace xfer::analyzer
