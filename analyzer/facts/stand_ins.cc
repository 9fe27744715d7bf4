// Stand-ins for the callee of a call that names none: the forwards of a container's modules, the
// functions that a variable or a field holds. Functions that one may run override it, as it were.

#include "analyzer/facts/declarations.h"
#include "analyzer/facts/function_holders.h"
#include "analyzer/facts/held_functions.h"
#include "analyzer/facts/module_parts.h"

namespace xfer::analyzer {

FunctionId Declarations::of_parts() {
  if (of_parts_) return of_parts_;
  of_parts_ = FunctionId(unit_.functions.size());
  Function& made = unit_.functions.emplace_back();
  made.qualified_name = made.identity = "what a container of modules runs";
  made.instance = made.stands_in = true;
  made.parameters.resize(1);
  made.parameters.front().role = Role::kTensor;
  made.declared = 1;
  return of_parts_;
}

FunctionId Declarations::of_held(const clang::ValueDecl& holder) {
  const auto [entry, added] = held_.try_emplace(&holder, unit_.functions.size());
  if (!added) return entry->second;
  const FunctionId id = entry->second;
  Function& made = unit_.functions.emplace_back();
  made.qualified_name = "what `" + holder.getNameAsString() + "` holds";
  made.identity = identity_of_held(holder);
  made.stands_in = true;
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&holder);
  const clang::QualType type = function != nullptr ? function->getReturnType() : holder.getType();
  if (const clang::FunctionProtoType* called = signature_held(type, types_))
    for (const clang::QualType given : called->param_types())
      made.parameters.push_back(parameter(given));
  made.declared = static_cast<std::uint32_t>(made.parameters.size());
  return id;
}

/// The same in all units; empty: no other unit has it.
std::string Declarations::identity_of_held(const clang::ValueDecl& holder) {
  std::string known;
  if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(&holder)) {
    const auto* owner = llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent());
    if (owner != nullptr) known = links_.identity(*owner);
    if (!known.empty()) known += "::" + field->getNameAsString();
  } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&holder)) {
    known = links_.identity(*function);
  } else if (const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(&holder)) {
    const auto* owner = llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
    if (owner != nullptr) known = links_.identity(*owner);
    if (!known.empty()) known += " " + std::to_string(parameter->getFunctionScopeIndex());
  } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(&holder)) {
    if (variable->hasGlobalStorage()) known = links_.identity(*variable);
  }
  return known.empty() ? known : "held by " + known;
}

void Declarations::describe_stand_ins() {
  const auto may_run = [&](FunctionId stand_in, FunctionId function) {
    unit_.functions[function.number()].overrides.push_back(stand_in);
  };
  for (const clang::CXXMethodDecl* forward : forwards_of_parts(context_, types_))
    may_run(of_parts(), of(forward));
  const HeldFunctions found = find_held_functions(context_, types_);
  for (const auto& [holder, held] : found.holders) {
    const FunctionId stand_in = of_held(*holder);
    unit_.functions[stand_in.number()].open = held.open;
    for (const clang::FunctionDecl* function : held.functions) may_run(stand_in, of(function));
    for (const clang::ValueDecl* other : held.from) may_run(stand_in, of_held(*other));
  }
  for (const clang::FunctionDecl* function : found.given_away)
    unit_.functions[of(function).number()].given_away = true;
}

}  // namespace xfer::analyzer
