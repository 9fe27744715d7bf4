#include "analyzer/facts/globals.h"

#include "analyzer/facts/device_code.h"

namespace xfer::analyzer {

bool is_followed_global(const clang::VarDecl& variable, Types& types) {
  const clang::QualType type = variable.getType();
  if (!variable.hasGlobalStorage() || type.isConstQualified() || type->isReferenceType())
    return false;
  switch (types.of(type).role) {
    case Role::kMemory:
      return (types.is_pointer(type) || type->isArrayType()) && !is_on_device(variable);
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
