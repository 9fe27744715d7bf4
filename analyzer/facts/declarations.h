#pragma once
// The numbers that a unit gives to its functions, classes and fields, and what is to be known of
// each. A thing gets its number when it is first spoken of, and is described later: describing one
// speaks of others.

#include <clang/AST/DeclCXX.h>
#include <llvm/ADT/DenseMap.h>

#include <vector>

#include "analyzer/facts/linkage.h"
#include "analyzer/facts/registered_fields.h"
#include "analyzer/facts/types.h"
#include "analyzer/facts/unit.h"
#include "analyzer/facts/unit_scan.h"

namespace xfer::analyzer {

class Declarations {
 public:
  Declarations(clang::ASTContext& context, const ModelSet& models, Types& types,
               const Unreadable& unreadable, std::string root, Unit& unit);

  ClassId of(const clang::CXXRecordDecl* record);
  FieldId of(const clang::FieldDecl& field);
  /// A variable that outlives calls, as a field; none: it is not followed.
  FieldId of_global(const clang::VarDecl& variable);
  FunctionId of(const clang::FunctionDecl* function);
  /// That stands for what calls run that name no function, see stand_ins.cc: the parts of a
  /// library's container of modules, and what a variable or a field holds.
  FunctionId of_parts();
  FunctionId of_held(const clang::ValueDecl& holder);
  /// A function that is given to another: what a model says of it counts too.
  FunctionId given(const clang::FunctionDecl* function);
  ValueType type(TypeInfo type) { return {type.role, type.handle, of(type.record), type.elements}; }
  /// Some run has CUDA in this variable or field of a device.
  bool may_be_cuda(const clang::ValueDecl& device) { return scan_.may_be_cuda(device); }

  /// Describes what has come since. The functions with a body that is to be read are handed over;
  /// empty: there is no more.
  std::vector<const clang::FunctionDecl*> describe();

  /// Tells which functions the unit's code puts where calls may find them.
  void describe_stand_ins();

  const Unit& unit() const { return unit_; }

 private:
  void describe(const clang::CXXRecordDecl& record, Class& to);
  void describe(const clang::FunctionDecl& function, Function& to);
  std::pair<FieldId, bool> number(const clang::ValueDecl& field);
  void describe_changes(const clang::ValueDecl& field, Field& to);
  void describe_changes(const clang::FieldDecl& field, Field& to);
  void describe_changes(const clang::VarDecl& global, Field& to);
  void add_members(const clang::CXXRecordDecl& definition, Class& to);
  std::string identity_of_held(const clang::ValueDecl& holder);
  void describe_kernel(const clang::FunctionDecl& kernel, Function& to);
  Parameter parameter(clang::QualType type);
  DefaultArgument default_of(const clang::ParmVarDecl& parameter, const TypeInfo& type);

  clang::ASTContext& context_;
  const ModelSet& models_;
  Types& types_;
  const Unreadable& unreadable_;
  UnitScan scan_;
  RegisteredFields registered_;
  LinkNames links_;
  Unit& unit_;
  llvm::DenseMap<const clang::CXXRecordDecl*, ClassId> classes_;
  llvm::DenseMap<const clang::ValueDecl*, FieldId> fields_;
  llvm::DenseMap<const clang::FunctionDecl*, FunctionId> functions_;
  FunctionId of_parts_;
  llvm::DenseMap<const clang::ValueDecl*, FunctionId> held_;
  std::vector<const clang::CXXRecordDecl*> new_classes_;
  std::vector<const clang::ValueDecl*> new_fields_;
  std::vector<const clang::FunctionDecl*> new_functions_;
};

}  // namespace xfer::analyzer
