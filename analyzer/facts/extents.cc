// The size of the memory behind an expression: an array, a vector, an allocation.

#include <llvm/Support/raw_ostream.h>

#include <optional>

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
namespace {

/// The size of a type.
Formula size_of(clang::QualType type, const clang::ASTContext& context) {
  const auto bytes = context.getTypeSizeInChars(type).getQuantity();
  return {Polynomial::constant(static_cast<std::int64_t>(bytes)), true};
}

/// An array whose size its type says.
bool is_sized_array(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return type->isConstantArrayType() ||
         (record != nullptr && record->getName() == "array" && record->isInStdNamespace());
}

struct Subscript {
  const clang::Expr *whole, *index;
};

/// `a[i]`, of an array or a vector; none: the expression is no such element.
std::optional<Subscript> as_subscript(const clang::Expr& expr) {
  if (const auto* part = llvm::dyn_cast<clang::ArraySubscriptExpr>(&expr))
    return Subscript{strip(part->getBase()), part->getIdx()};
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expr);
  if (call == nullptr || call->getOperator() != clang::OO_Subscript) return std::nullopt;
  return Subscript{strip(call->getArg(0)), call->getArg(1)};
}

bool is_zero(const Formula& number) { return number.sum && number.sum->as_constant() == 0; }

}  // namespace

/// The memory that another function allocates for a field of the object or a variable of the
/// file; null: it is no such field.
const FieldSizes::Size* Reader::allocated_elsewhere(const clang::Expr* pointer) {
  const clang::Expr* bare = without_casts(pointer);
  const clang::ValueDecl* pointed = bare == nullptr ? nullptr : kept_by(*bare);
  if (pointed == nullptr || !types_.is_pointer(pointed->getType())) return nullptr;
  const FieldSizes::Size* size = field_sizes_.of(*pointed);
  return size == nullptr || size->function == function_ ? nullptr : size;
}

/// The first array of an array of arrays begins all of them: `a` of `a[0]`, `v` of `v[0]`. Other
/// expressions stand for themselves. Null: the memory there is longer than the type says.
const clang::Expr* Reader::outermost_array(const clang::Expr* array) {
  while (is_sized_array(array->getType())) {
    const std::optional<Subscript> part = as_subscript(*array);
    if (!part) return llvm::isa<clang::DeclRefExpr, clang::MemberExpr>(array) ? array : nullptr;
    if (!is_zero(formula_of(part->index)) || part->whole->getType()->isPointerType())
      return nullptr;
    array = part->whole;
  }
  return array;
}

/// Of `v.data()`, `&v[0]`, `array`, `&number`: all that there is.
Formula Reader::bytes_behind(const clang::Expr* pointer) {
  const clang::Expr* owner = without_casts(pointer);
  if (const FieldSizes::Size* size = allocated_elsewhere(pointer)) {
    Formula has = formula_of(size->count);
    if (!has.sum) return {};
    if (size->unit == 1) return has;
    return {has.sum->times(Polynomial::constant(static_cast<std::int64_t>(size->unit))), true};
  }
  if (memory_.symbols.contains(owner)) return size_of(owner->getType(), context_);
  if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(owner)) {
    const FunctionModel* row = model_of(*method, types_);
    if (row == nullptr || row->hands_out != HandsOut::kMemory) return {};
    owner = strip(method->getImplicitObjectArgument());
  } else if (const clang::Expr* inner = strip(addressed_by(owner)); inner != nullptr) {
    if (memory_.objects.contains(variable_named(inner))) return size_of(inner->getType(), context_);
    const std::optional<Subscript> first = as_subscript(*inner);
    if (!first || !llvm::isa<clang::CXXOperatorCallExpr>(inner) ||
        !is_zero(formula_of(first->index)))
      return {};
    owner = first->whole;
  }
  owner = outermost_array(owner);
  if (owner == nullptr) return {};
  const clang::QualType type = owner->getType();
  if (is_sized_array(type)) return type->isIncompleteType() ? Formula{} : size_of(type, context_);
  const Formula count = elements_of(*owner);
  if (!count.sum) return {};
  const clang::QualType element = template_argument(*type->getAsCXXRecordDecl(), 0);
  const std::int64_t unit = context_.getTypeSizeInChars(element).getQuantity();
  return {count.sum->times(Polynomial::constant(unit)), true};
}

/// How many elements a vector has.
Formula Reader::elements_of(const clang::Expr& vector) {
  const TypeInfo info = types_.of(vector.getType());
  const clang::CXXRecordDecl* record = vector.getType()->getAsCXXRecordDecl();
  if (info.role != Role::kMemory || info.handle || record == nullptr) return {};
  const clang::QualType element = template_argument(*record, 0);
  Term size;
  if (element.isNull() || element->isIncompleteType() || !note_names(vector, size.names)) return {};
  if (vector_named(&vector) == nullptr) {
    llvm::raw_string_ostream out(size.text);
    vector.printPretty(out, nullptr, clang::PrintingPolicy(context_.getLangOpts()));
    out << ".size()";
  }
  return term(std::move(size));
}

}  // namespace xfer::analyzer
