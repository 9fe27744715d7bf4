// Expressions of whole numbers, read into formulas, and what changes the variables in them.

#include <llvm/Support/raw_ostream.h>

#include "analyzer/facts/reader.h"
#include "analyzer/facts/references.h"

namespace xfer::analyzer {
namespace {

/// Itself, or the constants that it names.
bool has_sizeof(const clang::Stmt& statement, int depth = 4) {
  const auto* trait = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(&statement);
  if (trait != nullptr) return trait->getKind() == clang::UETT_SizeOf;
  const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(&statement);
  const auto* constant =
      named == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(named->getDecl());
  if (constant != nullptr && depth > 0 && constant->getType().isConstQualified() &&
      constant->getInit() != nullptr)
    return has_sizeof(*constant->getInit(), depth - 1);
  return llvm::any_of(statement.children(), [&](const clang::Stmt* child) {
    return child != nullptr && has_sizeof(*child, depth);
  });
}

/// `grid.x`, where `grid` is an object that the function declares: what changes it names it.
bool is_part_of_local(const clang::MemberExpr& member) {
  if (member.isArrow()) return false;
  const clang::Expr* owner = strip(member.getBase());
  if (const auto* part = llvm::dyn_cast<clang::MemberExpr>(owner)) return is_part_of_local(*part);
  const clang::VarDecl* variable = variable_named(owner);
  return variable != nullptr && variable->hasLocalStorage() && variable->getType()->isRecordType();
}

/// A function of its arguments alone: std::max.
bool is_pure(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  return callee != nullptr && callee->isConstexpr() && !llvm::isa<clang::CXXMethodDecl>(callee);
}

/// `v[i]` of a container of the standard library.
bool is_container_element(const clang::CallExpr& call) {
  const auto* subscript = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  return subscript != nullptr && subscript->getOperator() == clang::OO_Subscript &&
         subscript->getDirectCallee() != nullptr &&
         subscript->getDirectCallee()->getEnclosingNamespaceContext()->isStdNamespace();
}

/// The objects whose field an assignment changes, or a call that is given it or its address.
std::vector<const clang::Expr*> objects_changed(const clang::Expr& expr,
                                                const clang::FieldDecl& field) {
  std::vector<const clang::Expr*> objects;
  for (const clang::Stmt* child : expr.children()) {
    const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child);
    if (part == nullptr) continue;
    const clang::Expr* pointed = addressed_by(part);
    const auto* member =
        llvm::dyn_cast_or_null<clang::MemberExpr>(strip(pointed != nullptr ? pointed : part));
    if (member != nullptr && member->getMemberDecl() == &field)
      objects.push_back(member->getBase());
  }
  return objects;
}

}  // namespace

std::uint32_t Reader::name_of(const clang::Decl& decl) {
  const auto [entry, added] =
      number_names_.try_emplace(&decl, static_cast<std::uint32_t>(number_names_.size()));
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(&decl);
  if (added && (variable == nullptr || !variable->hasLocalStorage() ||
                is_mutable_reference(variable->getType())))
    facts_.outside_names.push_back(entry->second);
  return entry->second;
}

/// Adds what a number rests on. False: equal texts may be different numbers.
bool Reader::note_names(const clang::Expr& expr, std::vector<std::uint32_t>& names) {
  const clang::Expr* bare = strip(&expr);
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr>(bare)) return true;
  if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(bare)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
    if (variable == nullptr)
      return llvm::isa<clang::EnumConstantDecl, clang::FunctionDecl>(named->getDecl());
    names.push_back(name_of(*variable));
    const bool other =
        is_mutable_reference(variable->getType()) && !llvm::isa<clang::ParmVarDecl>(variable);
    return !other && !memory_.addressed.contains(variable) && !scan_.unread.contains(variable) &&
           !unread_.names.contains(variable->getName());
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(bare)) {
    if (!is_part_of_local(*member)) {
      names.push_back(name_of(*member->getMemberDecl()));
      if (memory_.addressed.contains(member->getMemberDecl())) return false;
    }
  }
  if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(bare)) {
    if (const auto* field = pointer_handed_out_by(method->getMethodDecl(), types_)) {
      names.push_back(name_of(*field));
      return !memory_.addressed.contains(field) &&
             note_names(*method->getImplicitObjectArgument(), names);
    }
    return method->getMethodDecl() != nullptr && method->getMethodDecl()->isConst() &&
           method->getNumArgs() == 0 && note_names(*method->getImplicitObjectArgument(), names);
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(bare);
      call != nullptr && !is_pure(*call) && !is_container_element(*call))
    return false;
  return llvm::all_of(bare->children(), [&](const clang::Stmt* child) {
    const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child);
    return part == nullptr || note_names(*part, names);
  });
}

/// The local vector of plain values that an expression names; null: it names none. As a number it
/// is as many as it has elements.
const clang::VarDecl* Reader::vector_named(const clang::Expr* expr) {
  const clang::VarDecl* variable = variable_named(strip(expr));
  if (variable == nullptr || !variable->hasLocalStorage()) return nullptr;
  const clang::QualType type = variable->getType().getNonReferenceType();
  return types_.is_vector(type) ? variable : nullptr;
}

/// How many elements a new vector has: `std::vector<T> v(n)`.
Formula Reader::elements_made(const clang::Expr* init) {
  const auto* made =
      init == nullptr ? nullptr : llvm::dyn_cast<clang::CXXConstructExpr>(strip(init));
  if (made == nullptr || made->isListInitialization()) return {};
  if (made->getNumArgs() == 0) return {Polynomial(), false};
  const clang::Expr* count = made->getArg(0);
  return count->getType()->isIntegralOrEnumerationType() ? formula_of(count) : Formula{};
}

Formula Reader::formula_of(const clang::Expr* expr) {
  const clang::Expr* bare = without_casts(expr);
  if (bare == nullptr || bare->getType().isNull() || bare->isValueDependent() ||
      !bare->getType()->isArithmeticType())
    return {};
  clang::Expr::EvalResult value;
  if (bare->getType()->isIntegralOrEnumerationType() && bare->EvaluateAsInt(value, context_) &&
      value.Val.getInt().isRepresentableByInt64())
    return {Polynomial::constant(value.Val.getInt().getExtValue()), has_sizeof(*bare)};
  if (const clang::VarDecl* variable = variable_named(bare);
      variable != nullptr && given_ == nullptr &&
      variable->getParentFunctionOrMethod() != function_)
    if (const FieldSizes::Name* other = field_sizes_.name(*variable))
      return other->kept == nullptr ? formula_of(other->value) : kept_term(*other->kept);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(bare);
      unary != nullptr && unary->getOpcode() == clang::UO_Plus)
    return formula_of(unary->getSubExpr());
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(bare);
      binary != nullptr && bare->getType()->isIntegerType() && !binary->isAssignmentOp())
    if (const auto made = combined(binary->getOpcode(), formula_of(binary->getLHS()),
                                   formula_of(binary->getRHS())))
      return *made;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(bare))
    if (const auto made = inlined(*call)) return *made;
  return given_ != nullptr ? given_term(*bare) : named_term(*bare);
}

/// A field of the object that the function runs on.
Formula Reader::field_term(const clang::FieldDecl& field) {
  if (memory_.addressed.contains(&field)) return {};
  return term({"this->" + field.getNameAsString(), {name_of(field)}});
}

/// The value of a field of the object or of a global variable.
Formula Reader::kept_term(const clang::ValueDecl& kept) {
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(&kept);
  return field != nullptr ? field_term(*field) : number_in(kept);
}

/// The value of a variable; of a vector, the number of its elements.
Formula Reader::number_in(const clang::ValueDecl& variable) {
  if (memory_.addressed.contains(&variable)) return {};
  return term({"", {name_of(variable)}});
}

/// A variable, or an expression as it is written.
Formula Reader::named_term(const clang::Expr& expr) {
  if (const clang::FieldDecl* field = own_field(expr)) return field_term(*field);
  Term made;
  if (const clang::Expr* counted = counted_by(expr); vector_named(counted) != nullptr)
    if (note_names(*counted, made.names)) return term(std::move(made));
  if (!note_names(expr, made.names)) return {};
  const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(&expr);
  if (named == nullptr || !llvm::isa<clang::VarDecl>(named->getDecl())) {
    llvm::raw_string_ostream out(made.text);
    expr.printPretty(out, nullptr, clang::PrintingPolicy(context_.getLangOpts()));
    if (made.text.empty()) return {};  // the compiler made it
  }
  return {term(std::move(made)).sum, has_sizeof(expr)};
}

Formula Reader::term(Term made) {
  const auto [entry, added] = term_ids_.try_emplace(
      {made.text, made.names}, static_cast<std::uint32_t>(facts_.terms.size()));
  if (added) facts_.terms.push_back(std::move(made));
  return {Polynomial::of(entry->second), false};
}

/// Of what a pointer or an array holds; 0: that is not known.
std::uint64_t Reader::pointee_size(const clang::Expr* pointer) const {
  if (pointer == nullptr || pointer->getType().isNull()) return 0;
  if (types_.is_address(pointer->getType())) return 1;
  clang::QualType type = pointer->getType();
  if (const clang::ArrayType* array = context_.getAsArrayType(type))
    type = array->getElementType();
  else if (type->isPointerType())
    type = type->getPointeeType();
  else
    return 0;
  if (type->isVoidType()) return 1;
  if (type->isIncompleteType() || type->isDependentType() || type->isFunctionType()) return 0;
  return static_cast<std::uint64_t>(context_.getTypeSizeInChars(type).getQuantity());
}

/// Where a pointer points, in bytes: from the start of what an array or a container holds, else
/// from what a pointer variable held first.
Formula Reader::pointer_formula(const clang::Expr* expr) {
  std::optional<Polynomial> sum = Polynomial();
  const auto add = [&](const clang::Expr* index, std::uint64_t size, int sign) {
    const Formula number = formula_of(index);
    const Polynomial unit = Polynomial::constant(sign * static_cast<std::int64_t>(size));
    const auto bytes = size == 0 || !number.sum ? std::nullopt : number.sum->times(unit);
    sum = sum && bytes ? sum->plus(*bytes) : std::nullopt;
  };
  for (expr = without_casts(expr); expr != nullptr && sum; expr = without_casts(expr)) {
    if (expr->getType().isNull() || expr->isTypeDependent()) return {};
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expr);
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expr);
    const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr);
    if (binary != nullptr && binary->isAdditiveOp()) {
      const clang::Expr* left = binary->getLHS();
      const bool first = is_memory(*strip(left)) || left->getType()->isArrayType();
      const clang::Expr* base = first ? left : binary->getRHS();
      add(first ? binary->getRHS() : left, pointee_size(base),
          binary->getOpcode() == clang::BO_Sub ? -1 : 1);
      expr = base;
    } else if (unary != nullptr && unary->getOpcode() == clang::UO_AddrOf) {
      const clang::Expr* inner = strip(unary->getSubExpr());
      const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(inner);
      const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(inner);
      if (subscript != nullptr) {
        add(subscript->getIdx(), pointee_size(strip(subscript->getBase())), 1);
        expr = subscript->getBase();
      } else if (call != nullptr && call->getNumArgs() == 2) {
        add(call->getArg(1), pointee_size(unary), 1);
        expr = call->getArg(0);
      } else {
        return llvm::isa<clang::DeclRefExpr>(inner) ? Formula{sum, false} : Formula{};
      }
    } else if (types_.is_pointer(expr->getType()) &&
               (method != nullptr
                    ? pointer_handed_out_by(method->getMethodDecl(), types_) != nullptr
                    : !llvm::isa<clang::CallExpr, clang::CXXNewExpr>(expr))) {
      const Formula base = named_term(*expr);
      return {base.sum ? sum->plus(*base.sum) : std::nullopt, false};
    } else if (method != nullptr && method->getNumArgs() == 0) {
      const clang::Expr* owner = method->getImplicitObjectArgument();
      if (!owner->getType()->isRecordType() || types_.of(owner->getType()).role == Role::kMemory) {
        expr = owner;
        continue;
      }
      if (hands_out_data(method->getMethodDecl(), types_)) return {sum, false};
      const Formula base = named_term(*expr);
      return {base.sum ? sum->plus(*base.sum) : std::nullopt, false};
    } else {
      return {sum, false};
    }
  }
  return {};
}

/// None: the operator makes no sum of products.
std::optional<Formula> Reader::combined(clang::BinaryOperatorKind how, const Formula& left,
                                        const Formula& right) {
  Formula result{{}, left.measured || right.measured};
  if (!left.sum || !right.sum) return std::nullopt;
  const std::optional<std::int64_t> by = right.sum->as_constant();
  switch (how) {
    case clang::BO_Add:
    case clang::BO_AddAssign: result.sum = left.sum->plus(*right.sum); break;
    case clang::BO_Sub:
    case clang::BO_SubAssign: result.sum = left.sum->minus(*right.sum); break;
    case clang::BO_Mul:
    case clang::BO_MulAssign: result.sum = left.sum->times(*right.sum); break;
    case clang::BO_Shl:
    case clang::BO_ShlAssign:
      if (!by || *by < 0 || *by > 40) return std::nullopt;
      result.sum = left.sum->times(Polynomial::constant(std::int64_t{1} << *by));
      break;
    default: return std::nullopt;
  }
  return result;
}

/// The value of `decl` after an expression that changes it.
Formula Reader::changed_to(const clang::Expr& expr, const clang::Decl& decl) {
  if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expr)) {
    const clang::CXXMethodDecl* callee = method->getMethodDecl();
    const bool sets = callee != nullptr && callee->getIdentifier() != nullptr &&
                      (callee->getName() == "resize" || callee->getName() == "assign");
    return sets && vector_named(method->getImplicitObjectArgument()) == &decl &&
                   method->getArg(0)->getType()->isIntegralOrEnumerationType()
               ? formula_of(method->getArg(0))
               : Formula{};
  }
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expr);
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expr);
  if (binary == nullptr && (unary == nullptr || !unary->isIncrementDecrementOp())) return {};
  const clang::Expr* to = without_casts(binary != nullptr ? binary->getLHS() : unary->getSubExpr());
  if (to == nullptr || variable_or_field(*to) != &decl) return {};
  const bool pointer = types_.is_pointer(to->getType());
  const auto value = [&](const clang::Expr* of) {
    return pointer ? pointer_formula(of) : formula_of(of);
  };
  if (binary != nullptr && binary->getOpcode() == clang::BO_Assign) return value(binary->getRHS());
  if (!pointer && !to->getType()->isIntegerType()) return {};
  Formula by{Polynomial::constant(1), false};
  if (binary != nullptr) by = formula_of(binary->getRHS());
  if (pointer) {
    const auto unit = static_cast<std::int64_t>(pointee_size(to));
    if (unit == 0 || !by.sum) return {};
    by.sum = by.sum->times(Polynomial::constant(unit));
  }
  const clang::BinaryOperatorKind how = binary != nullptr        ? binary->getOpcode()
                                        : unary->isIncrementOp() ? clang::BO_Add
                                                                 : clang::BO_Sub;
  return combined(how, value(to), by).value_or(Formula{});
}

/// Assignments and calls that change what a size or an offset may speak of.
void Reader::read_changes(const clang::Expr& expr) {
  const auto changes = memory_.changes.find(&expr);
  if (changes == memory_.changes.end()) return;
  for (const clang::Decl* decl : changes->second) {
    const std::uint32_t name = name_of(*decl);
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(decl);
    if (field == nullptr || !field->getType()->isScalarType()) {
      emit(fact::Change{name, changed_to(expr, *decl)}, nullptr);
      continue;
    }
    const std::vector<const clang::Expr*> objects = objects_changed(expr, *field);
    if (objects.empty()) emit(fact::Change{name, {}, PlaceId()}, nullptr);
    for (const clang::Expr* object : objects) {
      const bool own = llvm::isa<clang::CXXThisExpr>(strip(object));
      emit(fact::Change{name, own ? changed_to(expr, *decl) : Formula{}, place_of(object)},
           nullptr);
    }
  }
}

/// A variable begins: each time round a loop with another number.
void Reader::begin_number(const clang::VarDecl& variable) {
  if (!types_.follows_memory() || !variable.hasLocalStorage()) return;
  const bool pointer = types_.is_pointer(variable.getType());
  // Of an object, sizes may speak by its methods and members.
  if (!pointer && !variable.getType()->isArithmeticType()) {
    const bool vector = types_.is_vector(variable.getType());
    const Formula count = vector ? elements_made(variable.getInit()) : Formula{};
    return emit(fact::Change{name_of(variable), count}, nullptr);
  }
  const clang::Expr* init = variable.getInit();
  emit(fact::Change{name_of(variable), pointer ? pointer_formula(init) : formula_of(init)},
       nullptr);
}

}  // namespace xfer::analyzer
