#pragma once
// Which fields of a module its own methods register: `to` takes along what they hold.

#include <clang/AST/DeclCXX.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

#include "analyzer/facts/registrations.h"

namespace xfer::analyzer {

class RegisteredFields {
 public:
  explicit RegisteredFields(Types& types) : types_(types), registrations_(types) {}

  /// The field is a part of its module: a method of the class whose body is here gives it, one of
  /// its elements, or what is put in it to register_*, or to a helper that does.
  bool contains(const clang::FieldDecl& field);

 private:
  Types& types_;
  Registrations registrations_;
  llvm::DenseMap<const clang::CXXRecordDecl*, llvm::DenseSet<const clang::FieldDecl*>> known_;
};

}  // namespace xfer::analyzer
