// Constructors: values that are made from values, and modules that are made.

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
namespace {

/// The values that a map is written with: `{{"a", x}, {"b", y}}`. Empty: it is made otherwise.
std::vector<const clang::Expr*> written_values(const clang::CXXConstructExpr& map, Types& types) {
  const TypeModel* row = types.model(*map.getConstructor()->getParent());
  if (row == nullptr || row->role != TypeRole::kMap || map.getNumArgs() == 0) return {};
  const auto* given = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(strip(map.getArg(0)));
  const auto* pairs =
      given == nullptr ? nullptr : llvm::dyn_cast<clang::InitListExpr>(strip(given->getSubExpr()));
  std::vector<const clang::Expr*> values;
  for (const clang::Expr* init :
       pairs == nullptr ? llvm::ArrayRef<clang::Expr*>() : pairs->inits()) {
    const auto* pair = llvm::dyn_cast<clang::CXXConstructExpr>(strip(init));
    if (pair == nullptr || pair->getNumArgs() != 2) return {};
    values.push_back(pair->getArg(1));
  }
  return values;
}

}  // namespace

const clang::CXXConstructorDecl* Reader::constructor(const clang::CXXRecordDecl& record,
                                                     unsigned args) {
  const clang::CXXConstructorDecl* found = nullptr;
  const clang::CXXRecordDecl* definition = record.getDefinition();
  if (definition == nullptr) return nullptr;
  for (const clang::CXXConstructorDecl* candidate : definition->ctors()) {
    if (candidate->isCopyOrMoveConstructor() || candidate->isDeleted()) continue;
    if (candidate->getMinRequiredArguments() > args || candidate->getNumParams() < args) continue;
    if (found != nullptr) return nullptr;
    found = candidate;
  }
  return found;
}

void Reader::read_construct(const clang::CXXConstructExpr& expr) {
  const TypeInfo type = types_.of(expr.getType());
  const clang::CXXConstructorDecl* callee = expr.getConstructor();
  llvm::SmallVector<const clang::Expr*, 6> arguments(expr.arg_begin(), expr.arg_end());
  llvm::SmallVector<const clang::Expr*, 6> followed;
  for (const clang::Expr* argument : arguments)
    if (types_.of(argument->getType()).role != Role::kNone &&
        !llvm::isa<clang::CXXDefaultArgExpr>(argument))
      followed.push_back(argument);
  read_host_arguments(expr, callee, arguments, static_cast<unsigned>(arguments.size()));
  if (callee->isCopyOrMoveConstructor() && arguments.size() >= 1 && type.role != Role::kNone) {
    pass_copy(expr, arguments.front(), type);
    if (type.role == Role::kTensor && callee->isMoveConstructor() && arguments.front()->isXValue())
      empty_moved(*arguments.front());
    return;
  }
  const bool one = followed.size() == 1;
  const FunctionModel* model = flow_model(*callee, static_cast<unsigned>(arguments.size()));
  switch (type.role) {
    case Role::kDevice:
      if (!type.handle) return read_device_construct(expr);
      if (one) return pass(expr, followed.front());
      if (arguments.empty() || is_null(&expr)) return fresh(expr, nullptr, Known::kEmpty);
      return fresh(expr, "a pointer to a device");
    case Role::kRecord:
      if (type.handle) {
        if (one && types_.of(followed.front()->getType()).role == Role::kRecord)
          return pass(expr, followed.front());
        return fresh(expr, "empty pointer");
      }
      // A class without a constructor of its own, or one that a row says to be made of its fields.
      // Where the class gives them values, the compiler's constructor does that.
      if ((arguments.empty() && callee->isDefaultConstructor() && !callee->isUserProvided() &&
           !(callee->hasBody() && callee->getParent()->hasInClassInitializer())) ||
          (model != nullptr && model->kind == CallKind::kTuple)) {
        values_[&expr] = make_record(expr, type, arguments);
        return;
      }
      break;
    case Role::kMemory:
      if (!type.handle) break;
      if (one && is_memory(*followed.front())) return pass(expr, followed.front());
      return fresh(expr, nullptr, arguments.empty() ? Known::kEmpty : Known::kNothing);
    case Role::kTensor:
      if (one && types_.of(followed.front()->getType()).role == Role::kTensor)
        return pass(expr, followed.front());
      // A value that holds a list of tensors is where these are.
      if (one && types_.of(followed.front()->getType()).role == Role::kList) {
        define(fact::ElementOf{value_of(followed.front()), ValueType::of(Role::kTensor)}, expr);
        return;
      }
      if (arguments.empty()) return fresh(expr, nullptr, Known::kEmpty);
      return fresh(expr, "undefined tensor");
    case Role::kIndex:
      if (one) pass(expr, followed.front());
      return;
    case Role::kScalarType:
      if (one) pass(expr, followed.front());
      return;
    case Role::kTuple: {
      if (arguments.empty()) return fresh(expr, nullptr, Known::kEmpty);
      std::vector<ValueId> parts;
      if (one && types_.of(followed.front()->getType()).role == Role::kTuple)
        return pass(expr, followed.front());
      for (const clang::Expr* argument : arguments) parts.push_back(value_of(argument));
      define(fact::Tuple{std::move(parts)}, expr);
      return;
    }
    case Role::kDevices:
    case Role::kList: {
      if (one && types_.of(followed.front()->getType()).role == type.role)
        return pass_copy(expr, followed.front(), type);
      std::vector<ValueId> elements;
      if (const auto values = written_values(expr, types_); !values.empty()) {
        for (const clang::Expr* value : values) elements.push_back(value_of(value));
        // Several places under several names: one of them is chosen.
        for (; type.role == Role::kDevices && elements.size() > 1; elements.pop_back())
          elements.front() = make(
              fact::Select{elements.front(), elements.back(), ValueType::of(Role::kDevice)}, &expr);
        return void(define(fact::List{std::move(elements), {}}, expr));
      }
      for (const clang::Expr* argument : followed) elements.push_back(value_of(argument));
      // `vector(n)` has elements that are nowhere yet; those of `vector(from, to)` are anywhere.
      const bool counted =
          !arguments.empty() && arguments.front()->getType()->isIntegralOrEnumerationType();
      const bool anywhere = arguments.size() != followed.size() && followed.empty() && !counted;
      define(fact::List{std::move(elements), {}, anywhere}, expr);
      return;
    }
    default: break;
  }
  if (type.role == Role::kModule && type.handle && one && arguments.size() == 1 &&
      types_.of(followed.front()->getType()).role == Role::kModule) {
    const TypeInfo from = types_.of(followed.front()->getType());
    if (from.handle || types_.in_library(*callee)) return pass(expr, followed.front());
  }
  ReadCall call = new_call(expr, callee, type);
  call.model = model;
  call.form = CallForm::kConstruct;
  add_arguments(call, arguments, callee, 0);
  if (types_.follows_memory() && summarised(callee) != nullptr)
    call.numbers = numbers_given(expr, *callee);
  if (type.role == Role::kOptions) resolve_device_arguments(expr, arguments, call);
  if (type.role == Role::kModule) {
    if (type.handle) {
      const bool library_holder = types_.in_library(*callee) || callee->isInheritingConstructor() ||
                                  !callee->isUserProvided();
      const bool unset =
          arguments.empty() && (callee->isInStdNamespace() || types_.starts_empty(expr.getType()));
      if (unset || is_null(&expr)) return fresh(expr, nullptr, Known::kEmpty);
      if (type.record == nullptr || (arguments.empty() && !library_holder))
        return fresh(expr, "module handle of a module that is not known");
      call.form = CallForm::kNewModule;
      call.runs = nullptr;
      if (library_holder)
        call.runs = summarised(constructor(*type.record, static_cast<unsigned>(arguments.size())));
      else
        return fresh(expr, "module handle from an untracked pointer");
      call.library = types_.in_library(*type.record);
    } else {
      call.form = CallForm::kNewModule;
      call.library = type.record != nullptr && types_.in_library(*type.record);
    }
    call.model = nullptr;
  }
  if (type.role == Role::kNone && followed.empty()) return;
  finish_call(expr, std::move(call));
}

/// `T y(std::move(x))`: x holds no tensor any more.
void Reader::empty_moved(const clang::Expr& from) {
  const PlaceId place_id = place_of(&from);
  const ValueType type = value_type(types_.of(from.getType()));
  if (place_id) store(place_id, make(fact::Fresh{type, Known::kEmpty}, &from), &from);
}

void Reader::read_base_initializer(const clang::CXXCtorInitializer& initializer) {
  const auto* construct =
      llvm::dyn_cast_or_null<clang::CXXConstructExpr>(strip(initializer.getInit()));
  if (construct == nullptr || this_class_ == nullptr ||
      facts_.variables[kThisVariable].type.role == Role::kNone)
    return;
  const clang::CXXConstructorDecl* callee = construct->getConstructor();
  if (types_.in_library(*callee)) return;
  // The base's constructor runs on this object.
  ReadCall call = new_call(*construct, callee, {});
  call.name = callee->getParent()->getNameAsString();
  call.has_receiver = true;
  call.receiver.value = make(fact::Load{place(kThisVariable, {})}, construct);
  call.receiver.role = Role::kModule;
  call.receiver.pass = Pass::kMutable;
  llvm::SmallVector<const clang::Expr*, 6> arguments(construct->arg_begin(), construct->arg_end());
  add_arguments(call, arguments, callee, 0);
  const CallId id = add_call(*construct, std::move(call));
  emit(fact::Invoke{id}, construct);
}

}  // namespace xfer::analyzer
