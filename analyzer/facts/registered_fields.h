#pragma once
// Which fields of a module its own methods register: `to` takes along what they hold.

#include <clang/AST/DeclCXX.h>
#include <llvm/ADT/DenseSet.h>

namespace xfer::analyzer {

class Types;

/// Reads the bodies of the class that are here: register_* of the field, of its elements, or of
/// what is put in it.
llvm::DenseSet<const clang::FieldDecl*> registered_fields(const clang::CXXRecordDecl& record,
                                                          Types& types);

}  // namespace xfer::analyzer
