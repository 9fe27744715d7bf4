#include "analyzer/facts/kernel_uses.h"

#include "analyzer/facts/data_uses.h"
#include "analyzer/facts/expr.h"
#include "analyzer/facts/spin_loops.h"
#include "analyzer/facts/use_order.h"

namespace xfer::analyzer {
namespace {

/// Calls below the kernel that are looked into.
constexpr unsigned kDeepestCall = 3;

bool is_constant(const clang::ValueDecl& pointer) {
  return pointer.getType()->getPointeeType().isConstQualified();
}

/// `uses` and `order` are those of the pointer's function; `pointer` is what is declared.
bool reads_first(const DataPointer& which, const clang::ValueDecl& pointer, const DataUses& uses,
                 const UseOrder& order) {
  // By a volatile pointer threads tell each other what they have written.
  if (pointer.getType()->getPointeeType().isVolatileQualified()) return false;
  llvm::DenseSet<const clang::ValueDecl*> taken;
  for (const UseOrder::Use& use : order.uses()) {
    const bool direct = use.expr->getDecl() == which.variable;
    if (direct ? !uses.is_of(use.expr, which.field) : !taken.contains(use.expr->getDecl()))
      continue;
    const PointerAt at(use.expr, direct ? which.field : nullptr);
    if (const clang::VarDecl* given = uses.gives_to(at))
      taken.insert(given);
    else
      return !use.optional && (is_constant(pointer) || !use.scaled) && uses.looks(at);
  }
  return false;
}

/// Of an object behind a pointer nothing is known.
void add_unknown_fields(const clang::ParmVarDecl& pointer, ParameterUse& use) {
  if (const auto* record = pointer.getType()->getPointeeType()->getAsCXXRecordDecl())
    for (const clang::FieldDecl* field : pointer_fields(*record))
      use.fields[field->getNameAsString()] = {};
}

/// Of one parameter of a function that has no body here.
ParameterUse declared_use(const clang::ParmVarDecl& parameter) {
  ParameterUse use;
  if (parameter.getType()->isPointerType()) {
    use.only_reads = use.reads_first = is_constant(parameter);
    add_unknown_fields(parameter, use);
  } else if (const auto* record = parameter.getType()->getAsCXXRecordDecl()) {
    for (const clang::FieldDecl* field : pointer_fields(*record))
      use.fields[field->getNameAsString()] = {is_constant(*field)};
  }
  return use;
}

ParameterUse use_of(const clang::ParmVarDecl& parameter, const DataUses& uses,
                    const UseOrder& order, const llvm::DenseSet<const clang::Expr*>& spun) {
  const bool polls = llvm::any_of(
      spun, [&](const clang::Expr* expr) { return variable_named(expr) == &parameter; });
  const auto told = [&](const DataPointer& which, const clang::ValueDecl& pointer) {
    return PointerUse{uses.only_reads(which), uses.writes(which),
                      reads_first(which, pointer, uses, order), !uses.names(which), polls};
  };
  ParameterUse use;
  if (parameter.getType()->isPointerType()) {
    static_cast<PointerUse&>(use) = told({&parameter, nullptr}, parameter);
    add_unknown_fields(parameter, use);
  } else if (const auto* record = parameter.getType()->getAsCXXRecordDecl()) {
    for (const clang::FieldDecl* field : pointer_fields(*record))
      if (const DataPointer which{&parameter, field}; uses.names(which))
        use.fields[field->getNameAsString()] = told(which, *field);
  }
  return use;
}

}  // namespace

std::vector<ParameterUse> parameter_uses(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* definition = nullptr;
  std::vector<ParameterUse> result;
  if (!function.hasBody(definition)) {
    for (const clang::ParmVarDecl* parameter : function.parameters())
      result.push_back(declared_use(*parameter));
    return result;
  }
  DataUses uses(kDeepestCall);
  UseOrder order;
  uses.TraverseStmt(definition->getBody());
  order.TraverseStmt(definition->getBody());
  const llvm::DenseSet<const clang::Expr*> spun = spun_on(*definition->getBody());
  for (const clang::ParmVarDecl* parameter : definition->parameters())
    result.push_back(use_of(*parameter, uses, order, spun));
  return result;
}

}  // namespace xfer::analyzer
