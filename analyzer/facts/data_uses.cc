#include "analyzer/facts/data_uses.h"

#include "analyzer/facts/expr.h"

namespace xfer::analyzer {
namespace {

/// `p` of `p[i]`, `*p`, `p->x`, `p[i].x[2]`; null: it is none of these.
const clang::Expr* pointer_through(const clang::Expr& expr) {
  for (const clang::Expr* at = strip(&expr);;) {
    const clang::Expr* inner = nullptr;
    bool through = true;
    if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(at)) {
      inner = strip(subscript->getBase());
      through = inner->getType()->isArrayType();
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(at);
               unary != nullptr && unary->getOpcode() == clang::UO_Deref) {
      inner = strip(unary->getSubExpr());
      through = false;
    } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(at)) {
      inner = strip(member->getBase());
      through = !member->isArrow();
    }
    if (inner == nullptr || !through) return inner;
    at = inner;
  }
}

/// The name of a variable, or `this`; null: the object is neither.
const clang::Expr* root_of_object(const clang::Expr* object) {
  object = strip(object);
  if (const auto* copy = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(object))
    if (copy->getConstructor()->isCopyOrMoveConstructor()) object = strip(copy->getArg(0));
  if (const auto* own = llvm::dyn_cast_or_null<clang::UnaryOperator>(object);
      own != nullptr && own->getOpcode() == clang::UO_Deref)
    object = llvm::dyn_cast_or_null<clang::CXXThisExpr>(strip(own->getSubExpr()));
  const bool named = llvm::isa_and_nonnull<clang::CXXThisExpr>(object) ||
                     (variable_named(object) != nullptr && !object->getType()->isPointerType());
  return named ? object : nullptr;
}

/// The pointer that an expression is made of.
std::optional<PointerAt> base(const clang::Expr* expr) {
  const clang::Expr* pointer = pointer_base(expr);
  if (llvm::isa_and_nonnull<clang::DeclRefExpr>(pointer)) return PointerAt(pointer, nullptr);
  const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(pointer);
  const auto* field =
      member == nullptr ? nullptr : llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  const clang::Expr* root = field == nullptr ? nullptr : root_of_object(member->getBase());
  return root == nullptr ? std::nullopt : std::optional(PointerAt(root, field));
}

/// The pointer through which an lvalue is reached, also by a method that returns it: `view(i)`.
std::optional<PointerAt> pointer_behind(const clang::Expr& lvalue) {
  if (const clang::Expr* pointer = pointer_through(lvalue)) return base(pointer);
  const auto* call = llvm::dyn_cast<clang::CallExpr>(strip(&lvalue));
  const clang::Expr* object = call == nullptr ? nullptr : argument_of(*call, kThisParameter);
  const clang::Expr* root = object == nullptr ? nullptr : root_of_object(object);
  const clang::Expr* returned =
      root == nullptr || !call->isLValue() ? nullptr : only_returned(call->getDirectCallee());
  const clang::Expr* pointer = returned == nullptr ? nullptr : pointer_through(*returned);
  const std::optional<PointerAt> within = pointer == nullptr ? std::nullopt : base(pointer);
  const bool own = within && llvm::isa<clang::CXXThisExpr>(within->first);
  return own ? std::optional(PointerAt(root, within->second)) : std::nullopt;
}

/// CUDA's functions: they read and write what they are given first.
bool is_atomic(const clang::FunctionDecl& callee) {
  return callee.getIdentifier() != nullptr && callee.getName().starts_with("atomic") &&
         callee.getNumParams() > 0 && callee.getParamDecl(0)->getType()->isPointerType();
}

bool is_constant(clang::QualType pointer) { return pointer->getPointeeType().isConstQualified(); }

}  // namespace

std::vector<const clang::FieldDecl*> pointer_fields(const clang::CXXRecordDecl& record) {
  std::vector<const clang::FieldDecl*> fields;
  if (!record.hasDefinition()) return fields;
  for (const clang::CXXBaseSpecifier& from : record.bases())
    if (const clang::CXXRecordDecl* of = from.getType()->getAsCXXRecordDecl()) {
      const auto theirs = pointer_fields(*of);
      fields.insert(fields.end(), theirs.begin(), theirs.end());
    }
  for (const clang::FieldDecl* field : record.fields())
    if (field->getType()->isPointerType()) fields.push_back(field);
  return fields;
}

bool DataUses::VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) {
  if (only_looks(*cast)) note(pointer_behind(*cast->getSubExpr()), read_);
  return true;
}

/// `p[i] = x`
bool DataUses::VisitBinaryOperator(clang::BinaryOperator* expr) {
  if (expr->getOpcode() == clang::BO_Assign) note(pointer_behind(*expr->getLHS()), written_);
  return true;
}

/// `p[i] += x`
bool DataUses::VisitCompoundAssignOperator(clang::CompoundAssignOperator* expr) {
  return change(*expr->getLHS());
}

bool DataUses::VisitUnaryOperator(clang::UnaryOperator* expr) {
  return !expr->isIncrementDecrementOp() || change(*expr->getSubExpr());
}

bool DataUses::VisitCallExpr(clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  // `p[i] = x`, `p[i] += x` of a class: half, complex
  if (const auto* changed = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
      changed != nullptr && changed->isAssignmentOp()) {
    if (changed->getOperator() != clang::OO_Equal) return change(*changed->getArg(0));
    note(pointer_behind(*changed->getArg(0)), written_);
    return true;
  }
  if (callee == nullptr) return true;
  if (is_atomic(*callee) && call->getNumArgs() > 0) return change_at(base(call->getArg(0)));
  if (const clang::Expr* object = argument_of(*call, kThisParameter))
    follow_object(object, *callee, nullptr);
  for (unsigned index = 0; index < callee->getNumParams(); ++index) {
    const clang::Expr* argument = argument_of(*call, index);
    if (argument == nullptr) break;
    const clang::QualType type = argument->getType();
    if (type->isRecordType()) follow_object(argument, *callee, callee->getParamDecl(index));
    if (!type->isPointerType() || depth_ == 0) continue;
    const auto [only_reads, writes] = within(*callee, index);
    if (only_reads) note(base(argument), read_);
    if (writes) note(base(argument), written_);
  }
  return true;
}

/// `const float* row = p + i * n`
bool DataUses::VisitVarDecl(clang::VarDecl* variable) {
  if (!variable->getType()->isPointerType() || variable->getInit() == nullptr) return true;
  const std::optional<PointerAt> from = base(variable->getInit());
  if (is_constant(variable->getType()))
    note(from, read_);
  else if (from)
    taken_[variable].push_back(*from);
  return true;
}

bool DataUses::VisitDeclRefExpr(clang::DeclRefExpr* expr) {
  const clang::VarDecl* variable = variable_named(expr);
  const clang::QualType type =
      variable == nullptr ? clang::QualType() : variable->getType().getNonReferenceType();
  if (!type.isNull() && (type->isPointerType() || type->isRecordType()))
    uses_[variable].push_back(expr);
  return true;
}

bool DataUses::VisitCXXThisExpr(clang::CXXThisExpr* expr) {
  uses_[nullptr].push_back(expr);
  return true;
}

bool DataUses::VisitMemberExpr(clang::MemberExpr* expr) {
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(expr->getMemberDecl());
  const clang::Expr* root = root_of_object(expr->getBase());
  if (field != nullptr && root != nullptr) named_[root] = field;
  return true;
}

/// `(char*)p` where p points to const.
bool DataUses::VisitExplicitCastExpr(clang::ExplicitCastExpr* cast) {
  const clang::QualType to = cast->getType();
  if (!to->isPointerType() || is_constant(to)) return true;
  const std::optional<PointerAt> from = base(cast->getSubExpr());
  if (!from) return true;
  if (from->second != nullptr)
    writable_.insert(from->second);
  else if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(from->first))
    writable_.insert(named->getDecl());
  return true;
}

/// A method is called on the object, or a function gets it as `parameter`.
void DataUses::follow_object(const clang::Expr* object, const clang::FunctionDecl& callee,
                             const clang::ParmVarDecl* parameter) {
  const clang::Expr* root = root_of_object(object);
  const clang::FunctionDecl* definition = nullptr;
  if (root == nullptr || depth_ == 0 || !callee.hasBody(definition)) return;
  // The expression around the call uses the object that the callee returns a reference to.
  const bool hands_out = parameter == nullptr && callee.getReturnType()->isReferenceType();
  const clang::Expr* returned = hands_out ? only_returned(&callee) : nullptr;
  if (returned != nullptr && pointer_through(*returned) != nullptr) {
    const std::optional<PointerAt> within = base(pointer_through(*returned));
    if (within && llvm::isa<clang::CXXThisExpr>(within->first)) named_[root] = within->second;
    return;
  }
  if (parameter != nullptr)
    parameter = definition->getParamDecl(parameter->getFunctionScopeIndex());
  const clang::CXXRecordDecl* record =
      parameter != nullptr ? parameter->getType().getNonReferenceType()->getAsCXXRecordDecl()
                           : llvm::cast<clang::CXXMethodDecl>(definition)->getParent();
  if (record == nullptr) return;
  DataUses uses(depth_ - 1);
  uses.TraverseStmt(definition->getBody());
  Effects effects;
  for (const clang::FieldDecl* field : pointer_fields(*record)) {
    const DataPointer pointer{parameter, field};
    if (uses.names(pointer)) effects[field] = {uses.only_reads(pointer), uses.writes(pointer)};
  }
  effects_[root] = std::move(effects);
}

/// Of a function that is called, to what this parameter points to.
DataUses::Effect DataUses::within(const clang::FunctionDecl& callee, unsigned index) const {
  const clang::ParmVarDecl& parameter = *callee.getParamDecl(index);
  if (!parameter.getType()->isPointerType()) return {};
  const clang::FunctionDecl* definition = nullptr;
  if (!callee.hasBody(definition)) return {is_constant(parameter.getType()), false};
  DataUses uses(depth_ - 1);
  uses.TraverseStmt(definition->getBody());
  const DataPointer defined{definition->getParamDecl(index), nullptr};
  return {uses.only_reads(defined), uses.writes(defined)};
}

bool DataUses::change(const clang::Expr& expr) { return change_at(pointer_behind(expr)); }

bool DataUses::change_at(const std::optional<PointerAt>& pointer) {
  note(pointer, changed_);
  note(pointer, written_);
  return true;
}

const clang::VarDecl* DataUses::gives_to(const PointerAt& use) const {
  for (const auto& [variable, from] : taken_)
    if (llvm::is_contained(from, use)) return variable;
  return nullptr;
}

bool DataUses::is_of(const clang::Expr* root, const clang::FieldDecl* field) const {
  if (field == nullptr) return true;
  if (const auto named = named_.find(root); named != named_.end()) return named->second == field;
  const auto effects = effects_.find(root);
  return effects == effects_.end() || effects->second.contains(field);
}

bool DataUses::names(const DataPointer& pointer) const {
  return llvm::any_of(uses_.lookup(pointer.variable),
                      [&](const clang::Expr* root) { return is_of(root, pointer.field); });
}

bool DataUses::only_reads(const DataPointer& pointer) const {
  const clang::ValueDecl* named = pointer.variable;
  if (pointer.field != nullptr) named = pointer.field;
  return is_constant(named->getType()) ? !writable_.contains(named) : only_read(pointer, 4);
}

bool DataUses::only_read(const DataPointer& pointer, unsigned depth) const {
  const auto uses = uses_.find(pointer.variable);
  if (depth == 0 || (uses == uses_.end() && pointer.field == nullptr)) return false;
  return uses == uses_.end() || llvm::all_of(uses->second, [&](const clang::Expr* root) {
           if (!is_of(root, pointer.field) || read_.contains({root, pointer.field})) return true;
           if (const auto effects = effects_.find(root);
               effects != effects_.end() && !named_.contains(root))
             return effects->second.at(pointer.field).only_reads;
           const clang::VarDecl* given = gives_to({root, pointer.field});
           return given != nullptr && only_read({given, nullptr}, depth - 1);
         });
}

bool DataUses::writes(const DataPointer& pointer, unsigned depth) const {
  return depth > 0 && llvm::any_of(uses_.lookup(pointer.variable), [&](const clang::Expr* root) {
           if (written_.contains({root, pointer.field})) return true;
           if (const auto effects = effects_.find(root); effects != effects_.end())
             if (const auto effect = effects->second.find(pointer.field);
                 effect != effects->second.end() && effect->second.writes)
               return true;
           const clang::VarDecl* given = gives_to({root, pointer.field});
           return given != nullptr && writes({given, nullptr}, depth - 1);
         });
}

}  // namespace xfer::analyzer
