// Assignments and the operators that hand a value on.

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
namespace {

/// `v[i]`, `v.at(i)`: i; null: the call is another one.
const clang::Expr* index_of(const clang::CallExpr& call) {
  const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
  if (method != nullptr) return is_at(*method) ? method->getArg(0) : nullptr;
  const auto* subscript = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  return subscript != nullptr && subscript->getOperator() == clang::OO_Subscript
             ? subscript->getArg(1)
             : nullptr;
}

}  // namespace

/// `std::tie(a, b) = value`, and ties in it.
void Reader::store_tie(const clang::Expr& tie, ValueId value, const clang::Expr& at) {
  unsigned index = 0;
  const std::vector<TiePart> parts = ties_.lookup(&tie);
  for (const TiePart& part : parts) {
    const unsigned number = index++;
    if (!part.place && part.nested == nullptr) continue;
    const ValueType type =
        ValueType::of(part.nested != nullptr ? Role::kTuple : role_of(part.place));
    const ValueId element =
        !value ? make(fact::Fresh{type}, &at) : make(fact::PartOf{value, number, type}, &at);
    if (part.nested != nullptr)
      store_tie(*part.nested, element, at);
    else
      store(part.place, element, &at);
  }
}

void Reader::put(ValueId list, ValueId element, const clang::Expr& at, ElementKey key) {
  if (!list) return;
  if (!element) return lose(list, "an element was assigned", &at);
  emit(fact::Put{list, element, key}, &at);
}

/// A list, as it is where an iterator into it is used.
ValueId Reader::load(const clang::Expr& list, const clang::Expr& at) {
  const PlaceId place_id = place_of(&list);
  return place_id ? make(fact::Load{place_id}, &at) : value_of(&list);
}

/// `*it`, `it->second`: some element of the list.
void Reader::read_behind(const clang::Expr& element, const clang::Expr& list) {
  const clang::QualType type = element.getType();
  const TypeInfo held = types_.of(type->isPointerType() ? type->getPointeeType() : type);
  const ValueId whole = load(list, element);
  if (held.role == Role::kNone) return;
  if (!whole) return fresh(element, "element of an untracked list");
  define(fact::ElementOf{whole, value_type(held)}, element);
}

void Reader::read_assignment(const clang::Expr& expr, const clang::Expr& to,
                             const clang::Expr& from) {
  ValueId value = value_of(&from);
  if (!value && is_null(&from) && !is_memory(to))
    value = make(fact::Fresh{declarations_.type(types_.of(to.getType())), Known::kEmpty}, &expr);
  if (ties_.count(strip(&to)) != 0) return store_tie(*strip(&to), value, expr);
  const PlaceId place_id = place_of(&to);
  if (place_id) {
    const ValueId target = value_of(&to);
    for (auto fact = block_->facts.rbegin(); target && fact != block_->facts.rend(); ++fact)
      if (auto* load = std::get_if<fact::Load>(&fact->what); load && fact->value == target) {
        load->why = LoadFor::kTarget;
        break;
      }
    store(place_id, value, &expr);
    const clang::Expr* part = strip(&to);
    while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(part))
      part = strip(member->getBase());
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part))
      lose_whole(*reference->getDecl(), "an element was assigned", expr);
    define(fact::Load{place_id, LoadFor::kAssigned}, expr);
    expr_places_[&expr] = place_id;
    return;
  }
  // `list[i] = x`, `f() = x`: what is changed is a part of what the left side was taken from.
  const clang::Expr* base = strip(&to);
  const clang::Expr* list = iterators_.list_of(*base);
  bool field = false;  // `list[i].y = x`
  while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(base)) {
    base = strip(member->getBase());
    field = true;
  }
  if (list != nullptr) {
    put(load(*list, expr), value, expr);
  } else if ((list = iterators_.list_of(*base)) != nullptr) {
    lose(load(*list, expr), "a part of it was assigned", &expr);
  } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(base); call != nullptr) {
    const clang::Expr* owner = subject_of(*call);
    const Role role = owner == nullptr ? Role::kNone : types_.of(owner->getType()).role;
    if (is_list(role) && value && !field)
      put(value_of(owner), value, expr, element_key(index_of(*call)));
    else if (owner != nullptr)
      lose(value_of(owner), "a part of it was assigned", &expr);
  } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
    if (field)
      lose(value_of(subscript->getBase()), "a part of it was assigned", &expr);
    else
      put(value_of(subscript->getBase()), value, expr, element_key(subscript->getIdx()));
  }
  if (is_memory(from) && (field || list_with(*base) == nullptr))
    lose(value, "a pointer to it was kept", &expr);
  values_[&expr] = value;
}

/// `std::swap(a, b)`, of tensors and of pointers: each variable has what the other had.
bool Reader::read_swap(const clang::CallExpr& expr) {
  const clang::FunctionDecl* callee = expr.getDirectCallee();
  if (callee == nullptr || !callee->isInStdNamespace() || callee->getIdentifier() == nullptr ||
      callee->getName() != "swap" || expr.getNumArgs() != 2)
    return false;
  const clang::Expr* sides[] = {expr.getArg(0), expr.getArg(1)};
  ValueId values[2];
  for (unsigned side = 0; side < 2; ++side) {
    const TypeInfo type = types_.of(sides[side]->getType());
    const bool handle = type.role == Role::kTensor || (type.role == Role::kMemory && type.handle);
    values[side] = value_of(sides[side]);
    if (!handle || !values[side] || !place_of(sides[side])) return false;
  }
  for (unsigned side = 0; side < 2; ++side) store(place_of(sides[side]), values[1 - side], &expr);
  return true;
}

bool Reader::read_operator(const clang::CXXOperatorCallExpr& expr) {
  const TypeInfo first = types_.of(expr.getArg(0)->getType());
  switch (expr.getOperator()) {
    case clang::OO_Arrow:
    case clang::OO_Star:
      if (expr.getNumArgs() != 1) return false;
      if (const clang::Expr* list = iterators_.list_of(expr)) return read_behind(expr, *list), true;
      if (const ValueId made =
              batch(expr, loaders_.dataset_behind(expr.getArg(0)), types_.of(expr.getType()));
          made) {
        values_[&expr] = made;
        return true;
      }
      if (expr.getOperator() == clang::OO_Arrow || value_of(expr.getArg(0)))
        pass(expr, expr.getArg(0));
      else
        fresh(expr, "through an iterator or an untracked pointer");
      return true;
    case clang::OO_Equal: {
      const TypeInfo type = types_.of(expr.getArg(0)->getType());
      if (type.role == Role::kNone && ties_.count(strip(expr.getArg(0))) == 0) return true;
      // A scalar given to a tensor element writes the data.
      if (type.role == Role::kTensor && types_.of(expr.getArg(1)->getType()).role == Role::kNone &&
          !place_of(expr.getArg(0)))
        return false;
      const auto* callee = expr.getDirectCallee();
      const bool rvalue_target =
          type.role == Role::kTensor && !place_of(expr.getArg(0)) && !expr.getArg(0)->isLValue();
      if (rvalue_target && llvm::isa_and_nonnull<clang::CXXMethodDecl>(callee)) {
        // `x[i] = y` copies into the data of x.
        ReadCall call = new_call(expr, callee, {});
        call.model = types_.model(*callee, 1);
        call.library = true;
        call.runs = nullptr;
        call.has_receiver = true;
        call.receiver = operand(expr.getArg(0), nullptr, 0);
        add_arguments(call, {expr.getArg(1)}, nullptr, 0);
        finish_call(expr, std::move(call));
        return true;
      }
      read_assignment(expr, *expr.getArg(0), *expr.getArg(1));
      return true;
    }
    case clang::OO_Subscript:
      if (const clang::Expr* list = iterators_.list_of(expr)) return read_behind(expr, *list), true;
      if (is_list(first.role)) {
        const ValueId list = value_of(expr.getArg(0));
        if (!list) return fresh(expr, "element of an untracked list"), true;
        define(fact::ElementOf{list, role_type(expr), element_key(expr.getArg(1))}, expr);
        return true;
      }
      return false;
    default: return false;
  }
}

}  // namespace xfer::analyzer
