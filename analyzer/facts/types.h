#pragma once
// The analyzer's view of C++ types. One Types per ASTContext; answers are cached.

#include <clang/AST/Type.h>
#include <llvm/ADT/DenseMap.h>

#include <string>

#include "analyzer/facts/annotations.h"
#include "analyzer/facts/value_type.h"
#include "analyzer/models/api_models.h"

namespace clang {
class CallExpr;
class CXXRecordDecl;
class FunctionDecl;
class NamedDecl;
}  // namespace clang

namespace xfer::analyzer {

/// A ValueType while the unit is read.
struct TypeInfo {
  Role role = Role::kNone;
  bool handle = false;  ///< of kModule, kRecord and kMemory: copying it shares the object
  const clang::CXXRecordDecl* record = nullptr;  ///< of kModule and kRecord: the object's class
  Elements elements = Elements::kAnywhere;       ///< of kMemory
};

class Types {
 public:
  /// `memory`: pointers to data are followed, not only tensors.
  explicit Types(const ModelSet& models, bool memory = false) : models_(models), memory_(memory) {}

  TypeInfo of(clang::QualType type);
  /// An integer that stands for a pointer to memory, by its name: CUdeviceptr.
  bool is_address(clang::QualType type) const;
  /// A pointer, or what stands for one.
  bool is_pointer(clang::QualType type) const { return type->isPointerType() || is_address(type); }
  /// std::vector of plain values: memory of the host that knows its own size.
  bool is_vector(clang::QualType type);
  /// The class of an object, of what a pointer or a handle points to, or of a reference; null:
  /// none.
  const clang::CXXRecordDecl* record_of(clang::QualType type);
  /// The class of the object that a lambda captured; null: none.
  const clang::CXXRecordDecl* captured_this(const clang::CXXRecordDecl& closure);
  /// Namespaces and classes, without inline namespaces and template arguments: "at::Tensor::to".
  const std::string& qualified_name(const clang::NamedDecl& decl);
  bool in_library(const clang::NamedDecl& decl);
  /// The row of a model file, else of an annotation, for the class itself; null: neither has one.
  const TypeModel* model(const clang::CXXRecordDecl& record);
  /// The setting that an object of the type changes as long as it lives.
  GuardEffect guard(clang::QualType type);
  /// A list of the standard library whose plain elements lie side by side in ordinary memory.
  bool owns_memory(clang::QualType type);
  /// The row of a model file, else of an annotation, for a call with `args` arguments; null:
  /// neither has one.
  const FunctionModel* model(const clang::FunctionDecl& function, unsigned args);
  Annotations& annotations() { return annotations_; }
  const ModelSet& models() const { return models_; }
  bool follows_memory() const { return memory_; }
  /// The class is a module or derives from one.
  bool is_module(const clang::CXXRecordDecl& record);
  /// A handle of the type that is made without arguments holds no module: a pointer, TorchScript's
  /// module. A ModuleHolder makes its module.
  bool starts_empty(clang::QualType handle);

 private:
  bool is_operation(const clang::FunctionDecl& function);
  TypeInfo by_name(clang::QualType type) const;
  TypeInfo compute(clang::QualType type, unsigned depth);
  TypeInfo compute_record(const clang::CXXRecordDecl& record, unsigned depth);
  static bool is_opaque(clang::QualType type);
  TypeInfo memory_of(clang::QualType type);
  TypeRole role_of(const clang::CXXRecordDecl& record);

  const ModelSet& models_;
  const bool memory_;
  Annotations annotations_;
  llvm::DenseMap<const clang::Type*, TypeInfo> cache_;
  llvm::DenseMap<const clang::NamedDecl*, std::string> names_;
  llvm::DenseMap<const clang::CXXRecordDecl*, GuardEffect> guards_;
};

/// The type that an instance of a template has as an argument; none: it is no instance, or has not
/// as many.
clang::QualType template_argument(const clang::CXXRecordDecl& record, unsigned index);

/// The model of what a call calls, if there is one.
const FunctionModel* model_of(const clang::CallExpr& call, Types& types);

}  // namespace xfer::analyzer
