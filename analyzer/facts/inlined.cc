// Functions of one expression that compute a number: `bytes(n)`, `matrix.size()`. A size is read
// through them, in terms of what they are given.

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
namespace {

constexpr unsigned kMostNested = 4;

}  // namespace

/// The object, as whoever is read names it; none: its name is not one that stays the same.
std::optional<NamedObject> Reader::object_given(const clang::Expr& expr) {
  const clang::Expr* bare = without_casts(&expr);
  bool pointer = bare->getType()->isPointerType();
  if (const clang::Expr* pointed = addressed_by(bare)) {
    bare = strip(pointed);
    pointer = false;
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(bare);
      unary != nullptr && unary->getOpcode() == clang::UO_Deref)
    bare = strip(unary->getSubExpr());
  const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(bare);
  const bool self = llvm::isa<clang::CXXThisExpr>(bare);
  if (given_ != nullptr && (self || named != nullptr)) {
    const auto known = given_->objects.find(self ? nullptr : named->getDecl());
    if (known == given_->objects.end()) return std::nullopt;
    return known->second;
  }
  NamedObject object;
  object.own = self;
  if (self) return object;
  if (named != nullptr) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
    if (variable == nullptr || !note_names(*bare, object.names)) return std::nullopt;
    object.text = variable->getNameAsString();
    object.pointer = pointer;
    object.local = variable->hasLocalStorage() && variable->getType()->isRecordType();
    return object;
  }
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(bare);
  if (member == nullptr || !llvm::isa<clang::FieldDecl>(member->getMemberDecl()))
    return std::nullopt;
  std::optional<NamedObject> owner = object_given(*member->getBase());
  if (!owner || !enter(*owner, *member->getMemberDecl())) return std::nullopt;
  return owner;
}

/// The object becomes its field. False: anybody may change that.
bool Reader::enter(NamedObject& object, const clang::ValueDecl& field) {
  if (memory_.addressed.contains(&field)) return false;
  object.text += object.own && object.text.empty() ? "this->" : object.pointer ? "->" : ".";
  object.text += field.getNameAsString();
  object.pointer = field.getType()->isPointerType();
  if (!object.local) object.names.insert(object.names.begin(), name_of(field));
  return true;
}

/// A field of an object that is given; none: it is no such field.
std::optional<Formula> Reader::field_given(const clang::Expr& expr) {
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(&expr);
  if (member == nullptr || !llvm::isa<clang::FieldDecl>(member->getMemberDecl()))
    return std::nullopt;
  std::optional<NamedObject> object = object_given(expr);
  if (!object) return std::nullopt;
  return term({std::move(object->text), std::move(object->names)});
}

/// In a function that is read in the place of its call: what is no sum of others. Nothing but what
/// the call gives has a meaning there.
Formula Reader::given_term(const clang::Expr& expr) {
  if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(&expr)) {
    const auto known = given_->numbers.find(named->getDecl());
    return known == given_->numbers.end() ? Formula{} : known->second;
  }
  if (const clang::VarDecl* counted = variable_named(counted_by(expr)))
    if (const auto known = given_->numbers.find(counted); known != given_->numbers.end())
      return known->second;
  return field_given(expr).value_or(Formula{});
}

/// The value of a call, by the one expression that its callee returns; none: the callee does more,
/// or an argument is not known.
std::optional<Formula> Reader::inlined(const clang::CallExpr& call) {
  const clang::FunctionDecl* callee = call.getDirectCallee();
  const clang::FunctionDecl* definition = nullptr;
  const clang::Expr* value = only_returned(callee);
  if (value == nullptr || llvm::isa<clang::CXXOperatorCallExpr>(call) ||
      !callee->getReturnType()->isIntegralOrUnscopedEnumerationType() ||
      types_.in_library(*callee) || (given_ != nullptr && given_->depth == kMostNested))
    return std::nullopt;
  callee->hasBody(definition);
  GivenNumbers given;
  given.depth += given_ == nullptr ? 0 : given_->depth;
  if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call))
    if (auto object = object_given(*method->getImplicitObjectArgument()))
      given.objects.try_emplace(nullptr, std::move(*object));
  for (unsigned index = 0; index < call.getNumArgs() && index < callee->getNumParams(); ++index) {
    const clang::ParmVarDecl* parameter = definition->getParamDecl(index);
    const clang::Expr* argument = as_given(call.getArg(index));
    const clang::QualType type = parameter->getType().getNonReferenceType();
    if (type->isIntegralOrUnscopedEnumerationType())
      given.numbers.try_emplace(parameter, formula_of(argument));
    else if (types_.is_vector(type))
      given.numbers.try_emplace(parameter, elements_of(*strip(argument)));
    else if (auto object = object_given(*argument))
      given.objects.try_emplace(parameter, std::move(*object));
  }
  const GivenNumbers* outer = std::exchange(given_, &given);
  const Formula result = formula_of(value);
  given_ = outer;
  return result.sum ? std::optional(result) : std::nullopt;
}

}  // namespace xfer::analyzer
