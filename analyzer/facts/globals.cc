#include "analyzer/facts/globals.h"

namespace xfer::analyzer {

namespace {

/// A device has its own, or the host and the devices share it.
bool is_on_device(const clang::VarDecl& variable) {
  return variable.hasAttr<clang::CUDADeviceAttr>() || variable.hasAttr<clang::CUDASharedAttr>() ||
         variable.hasAttr<clang::CUDAConstantAttr>() || variable.hasAttr<clang::HIPManagedAttr>();
}

}  // namespace

bool is_followed_global(const clang::VarDecl& variable, Types& types) {
  const clang::QualType type = variable.getType();
  if (!variable.hasGlobalStorage() || type.isConstQualified() || type->isReferenceType())
    return false;
  switch (types.of(type).role) {
    case Role::kMemory: return type->isPointerType() && !is_on_device(variable);
    case Role::kTensor:
    case Role::kModule:
    case Role::kList:
    case Role::kDevices:
    case Role::kTuple: return true;
    default: return false;
  }
}

bool runs_before_main(const clang::VarDecl& variable, Types& types) {
  if (!variable.isFileVarDecl() ||
      variable.isThisDeclarationADefinition() == clang::VarDecl::DeclarationOnly)
    return false;
  const clang::Expr* made_with = variable.getInit();
  return made_with != nullptr && !made_with->isInstantiationDependent() &&
         !variable.getDeclContext()->isDependentContext() &&
         !variable.getType()->isReferenceType() && !variable.getType().isConstQualified() &&
         types.of(variable.getType()).role != Role::kNone;
}

}  // namespace xfer::analyzer
