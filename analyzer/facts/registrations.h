#pragma once
// The objects that code makes parts of a module: by register_*, or by a helper for its caller.

#include <clang/AST/DeclCXX.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>

#include <memory>

namespace xfer::analyzer {

class Types;

/// The objects that a call of a function registers.
struct Registered {
  llvm::DenseSet<const clang::FieldDecl*> fields;  ///< by their names
  llvm::SmallVector<unsigned, 2> parameters;       ///< what is given for these, by number
  bool result = false;                             ///< what it returns is registered

  bool none() const { return fields.empty() && parameters.empty() && !result; }
};

class Registrations {
 public:
  explicit Registrations(Types& types) : types_(types) {}

  /// The fields that the methods of a class register, and what they call to do it.
  llvm::DenseSet<const clang::FieldDecl*> fields_of(const clang::CXXRecordDecl& record);
  /// Of a function whose body is here; null: it registers nothing, or its body is not here.
  const Registered* of(const clang::FunctionDecl& function);

 private:
  Types& types_;
  llvm::DenseMap<const clang::FunctionDecl*, std::unique_ptr<Registered>> helpers_;
};

}  // namespace xfer::analyzer
