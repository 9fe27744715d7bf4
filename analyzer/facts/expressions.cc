#include <clang/AST/StmtCXX.h>

#include "analyzer/facts/reader.h"
#include "analyzer/facts/references.h"

namespace xfer::analyzer {

void Reader::read_statement(const clang::Stmt& statement) {
  if (const auto* expr = llvm::dyn_cast<clang::Expr>(&statement)) {
    read_expression(*expr);
  } else if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
    for (const clang::Decl* decl : declarations->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
        read_variable(*variable);
        move_each(*variable);
      }
  } else if (const auto* leave = llvm::dyn_cast<clang::ReturnStmt>(&statement)) {
    const ValueId value = value_of(leave->getRetValue());
    if (leave->getRetValue() != nullptr && function_ != nullptr)
      keep_as_number(*leave->getRetValue(), function_->getReturnType());
    emit(fact::Return{value}, leave->getRetValue());
  }
}

void Reader::read_tree(const clang::Expr& expr) {
  for (const clang::Stmt* child : expr.children())
    if (const auto* sub = llvm::dyn_cast_or_null<clang::Expr>(child)) read_tree(*sub);
  read_expression(expr);
}

/// Forgets the values of an expression: the reader reads it again where it comes again.
void Reader::forget_tree(const clang::Expr& expr) {
  for (const clang::Stmt* child : expr.children())
    if (const auto* sub = llvm::dyn_cast_or_null<clang::Expr>(child)) forget_tree(*sub);
  values_.erase(&expr);
}

void Reader::read_expression(const clang::Expr& expr) {
  // In code with errors some expressions have no type.
  if (expr.getType().isNull() || strip(&expr) != &expr || values_.count(&expr) != 0) return;
  if (read_device_constant(expr) || read_element_constant(expr)) return;
  if (!types_.follows_memory()) return read_by_kind(expr);
  // A call changes its arguments behind what it is given.
  const bool behind = llvm::isa<clang::CallExpr>(expr);
  if (!behind) read_changes(expr);
  if (!read_memory(expr)) read_by_kind(expr);
  if (behind) read_changes(expr);
}

void Reader::read_by_kind(const clang::Expr& expr) {
  read_index_change(expr);
  switch (expr.getStmtClass()) {
    case clang::Stmt::DeclRefExprClass:
      read_reference(llvm::cast<clang::DeclRefExpr>(expr));
      return;
    case clang::Stmt::MemberExprClass: read_member(llvm::cast<clang::MemberExpr>(expr)); return;
    case clang::Stmt::CXXThisExprClass: {
      const PlaceId self = place(kThisVariable, {});
      expr_places_[&expr] = self;
      define(fact::Load{self}, expr);
      return;
    }
    case clang::Stmt::CXXMemberCallExprClass: {
      const auto& call = llvm::cast<clang::CXXMemberCallExpr>(expr);
      const clang::FieldDecl* field = field_named_by(call.getMethodDecl(), types_);
      if (field == nullptr) field = pointer_handed_out_by(call.getMethodDecl(), types_);
      if (field == nullptr) return read_call(call);
      return read_field(expr, *call.getImplicitObjectArgument(), *field);
    }
    case clang::Stmt::CallExprClass:
    case clang::Stmt::UserDefinedLiteralClass: read_call(llvm::cast<clang::CallExpr>(expr)); return;
    case clang::Stmt::CXXOperatorCallExprClass:
      if (!read_operator(llvm::cast<clang::CXXOperatorCallExpr>(expr)))
        read_call(llvm::cast<clang::CallExpr>(expr));
      return;
    case clang::Stmt::CXXConstructExprClass:
    case clang::Stmt::CXXTemporaryObjectExprClass:
      read_construct(llvm::cast<clang::CXXConstructExpr>(expr));
      return;
    case clang::Stmt::CXXNewExprClass:
      pass(expr, llvm::cast<clang::CXXNewExpr>(expr).getInitializer());
      if (types_.of(expr.getType()).role == Role::kRecord) share(expr);
      return;
    case clang::Stmt::CXXStdInitializerListExprClass:
      pass(expr, llvm::cast<clang::CXXStdInitializerListExpr>(expr).getSubExpr());
      return;
    case clang::Stmt::CXXFunctionalCastExprClass:
    case clang::Stmt::CXXStaticCastExprClass:
    case clang::Stmt::CStyleCastExprClass:
      if (!expr.getType()->isVoidType()) pass(expr, llvm::cast<clang::CastExpr>(expr).getSubExpr());
      return;
    case clang::Stmt::CXXDefaultInitExprClass:
      pass(expr, llvm::cast<clang::CXXDefaultInitExpr>(expr).getExpr());
      return;
    case clang::Stmt::InitListExprClass:
      read_init_list(llvm::cast<clang::InitListExpr>(expr));
      return;
    case clang::Stmt::LambdaExprClass: read_lambda(llvm::cast<clang::LambdaExpr>(expr)); return;
    case clang::Stmt::ConditionalOperatorClass: {
      const auto& choice = llvm::cast<clang::ConditionalOperator>(expr);
      if (types_.of(expr.getType()).role == Role::kNone) return;
      const ValueId yes = value_of(choice.getTrueExpr());
      const ValueId no = value_of(choice.getFalseExpr());
      define(fact::Select{yes, no, role_type(expr)}, expr);
      return;
    }
    case clang::Stmt::BinaryOperatorClass: {
      const auto& binary = llvm::cast<clang::BinaryOperator>(expr);
      if (binary.getOpcode() == clang::BO_Comma) pass(expr, binary.getRHS());
      if (const auto* to = llvm::dyn_cast<clang::DeclRefExpr>(strip(binary.getLHS()));
          to != nullptr && binary.getOpcode() == clang::BO_Assign)
        if (const auto* pointer = llvm::dyn_cast<clang::VarDecl>(to->getDecl());
            pointer != nullptr && pointers_.variables.contains(pointer))
          store_pointer(*pointer, *binary.getRHS());
      if (binary.getOpcode() == clang::BO_Assign && is_new_array(binary.getRHS(), types_) &&
          place_of(binary.getLHS()))
        store(place_of(binary.getLHS()), make(fact::List{}, &expr), &expr);
      if (binary.getOpcode() == clang::BO_Assign) keep_as_number(*binary.getRHS(), expr.getType());
      if (binary.getOpcode() == clang::BO_Assign && types_.of(expr.getType()).role != Role::kNone)
        read_assignment(expr, *binary.getLHS(), *binary.getRHS());
      return;
    }
    case clang::Stmt::UnaryOperatorClass: {
      const auto& unary = llvm::cast<clang::UnaryOperator>(expr);
      if (unary.getOpcode() == clang::UO_Deref) read_dereference(expr, *unary.getSubExpr());
      const Role target = types_.of(unary.getSubExpr()->getType()).role;
      const bool address = unary.getOpcode() == clang::UO_AddrOf &&
                           (target == Role::kModule || target == Role::kDevice);
      if (unary.isIncrementDecrementOp()) move_on(*unary.getSubExpr());
      if (scan_.pointed_to.contains(&unary))
        lose(value_of(unary.getSubExpr()), "a field that a pointer may change", &expr);
      if (unary.getOpcode() == clang::UO_Deref || address) pass(expr, unary.getSubExpr());
      return;
    }
    case clang::Stmt::CompoundAssignOperatorClass:
      move_on(*llvm::cast<clang::CompoundAssignOperator>(expr).getLHS());
      return;
    case clang::Stmt::ArraySubscriptExprClass: {
      if (list_with(expr) == nullptr)
        read_dereference(expr, *llvm::cast<clang::ArraySubscriptExpr>(expr).getBase());
      const auto& subscript = llvm::cast<clang::ArraySubscriptExpr>(expr);
      const ValueId base = value_of(subscript.getBase());
      if (!base) return;
      define(fact::ElementOf{base, role_type(expr), element_key(subscript.getIdx())}, expr);
      return;
    }
    default: return;
  }
}

bool Reader::read_device_constant(const clang::Expr& expr) {
  if (!expr.getType()->isEnumeralType() || !llvm::isa<clang::DeclRefExpr, clang::CastExpr>(expr) ||
      types_.of(expr.getType()).role != Role::kDevice)
    return false;
  clang::Expr::EvalResult result;
  if (expr.isValueDependent() || !expr.EvaluateAsInt(result, context_)) return false;
  const auto* enumeration = expr.getType()->getAs<clang::EnumType>();
  define(fact::DeviceIs{enumerated_device(*enumeration, result.Val.getInt(), models_)}, expr);
  return true;
}

bool Reader::read_element_constant(const clang::Expr& expr) {
  if (!expr.getType()->isEnumeralType() || !llvm::isa<clang::DeclRefExpr>(expr) ||
      types_.of(expr.getType()).role != Role::kScalarType)
    return false;
  clang::Expr::EvalResult result;
  if (expr.isValueDependent() || !expr.EvaluateAsInt(result, context_)) return false;
  for (const clang::EnumConstantDecl* constant :
       expr.getType()->getAs<clang::EnumType>()->getDecl()->enumerators()) {
    if (llvm::APSInt::compareValues(constant->getInitVal(), result.Val.getInt()) != 0) continue;
    define(fact::ElementIs{element_from(constant->getNameAsString())}, expr);
    return true;
  }
  return false;
}

void Reader::pass(const clang::Expr& expr, const clang::Expr* from) {
  const clang::Expr* inner = strip(from);
  if (inner == nullptr) return;
  if (const ValueId value = values_.lookup(inner)) values_[&expr] = value;
  if (const PlaceId place_id = expr_places_.lookup(inner)) expr_places_[&expr] = place_id;
}

void Reader::pass_copy(const clang::Expr& expr, const clang::Expr* from, TypeInfo type) {
  const ValueId value = value_of(from);
  if (!value) return fresh(expr, nullptr);
  const bool own = type.role == Role::kList || type.role == Role::kTuple ||
                   type.role == Role::kDevices ||
                   ((type.role == Role::kRecord || type.role == Role::kModule) && !type.handle);
  if (!own) {
    values_[&expr] = value;
    return;
  }
  define(fact::Copy{value}, expr);
}

void Reader::fresh(const clang::Expr& expr, const char* reason, Known known) {
  const TypeInfo type = types_.of(expr.getType());
  if (type.role == Role::kNone) return;
  define(fact::Fresh{value_type(type), known, reason}, expr);
}

/// `++node`: the pointer is to another object now. Of plain memory it is to another part.
void Reader::move_on(const clang::Expr& pointer) {
  const TypeInfo type = types_.of(pointer.getType());
  if (!pointer.getType()->isPointerType() || type.role == Role::kMemory) return;
  if (const PlaceId place = place_of(&pointer); place && type.role != Role::kNone)
    store(place, make(fact::Fresh{value_type(type)}, nullptr), &pointer);
}

void Reader::store(PlaceId to, ValueId from, const clang::Expr* at) {
  if (!to) return;
  emit(fact::Store{to, from, role_of(to)}, at);
}

void Reader::lose(ValueId value, const char* reason, const clang::Expr* at) {
  if (!value) return;
  emit(fact::Lose{value, reason}, at);
}

/// Kept where the flow does not follow it: others may move the modules in it.
void Reader::share(const clang::Expr& expr) {
  const ValueId value = value_of(&expr);
  if (value) emit(fact::Share{value}, &expr);
}

void Reader::read_reference(const clang::DeclRefExpr& expr) {
  const clang::ValueDecl* decl = expr.getDecl();
  if (!llvm::isa<clang::VarDecl, clang::BindingDecl>(decl)) return;
  if (read_pointer_reference(expr)) return;
  const auto alias = aliases_.find(decl);
  PlaceId place_id;
  if (alias != aliases_.end()) {
    place_id = alias->second;
  } else {
    if (types_.of(decl->getType()).role == Role::kNone && !is_array(*decl)) return;
    place_id = place(variable(*decl), {});
  }
  expr_places_[&expr] = place_id;
  define(fact::Load{place_id}, expr);
}

void Reader::read_member(const clang::MemberExpr& expr) {
  const auto* member = llvm::dyn_cast<clang::FieldDecl>(expr.getMemberDecl());
  if (member == nullptr) {
    if (const auto* shared = llvm::dyn_cast<clang::VarDecl>(expr.getMemberDecl());
        shared != nullptr && types_.of(shared->getType()).role != Role::kNone) {
      const PlaceId place_id = place(variable(*shared), {});
      expr_places_[&expr] = place_id;
      define(fact::Load{place_id}, expr);
    }
    return;
  }
  if (const clang::Expr* list = iterators_.list_of(expr)) return read_behind(expr, *list);
  read_field(expr, *expr.getBase(), *member);
}

/// `object.field`, or a call of a method that is another name of the field.
void Reader::read_field(const clang::Expr& expr, const clang::Expr& object,
                        const clang::FieldDecl& field) {
  if (types_.of(field.getType()).role == Role::kNone) return;
  const FieldId id = declarations_.of(field);
  if (const PlaceId base = place_of(&object)) {
    Place whole = facts_.places[base];
    if (whole.fields.size() < 3) {
      whole.fields.push_back(id);
      const PlaceId place_id = place(whole.root, whole.fields);
      expr_places_[&expr] = place_id;
      define(fact::Load{place_id}, expr);
      return;
    }
  }
  const ValueId base = value_of(&object);
  if (!base) return fresh(expr, "field of an untracked object");
  define(fact::FieldOf{base, id}, expr);
}

}  // namespace xfer::analyzer
