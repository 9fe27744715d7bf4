#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include "analyzer/facts_reader.h"

namespace xfer::analyzer {
namespace {

/// How many values an argument is written with, looking through the conversions to a list of sizes or
/// to tensor data.
Form form_of(const clang::Expr* expr) {
  for (;;) {
    expr = strip(expr);
    if (expr == nullptr) return Form::kOther;
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expr)) {
      return list->getNumInits() == 0 ? Form::kEmptyBraces : Form::kBraces;
    }
    if (const auto* standard = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(expr)) {
      expr = standard->getSubExpr();
    } else if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(expr)) {
      if (construct->getNumArgs() == 0)
        return construct->isListInitialization() ? Form::kEmptyBraces : Form::kOther;
      const auto* first = strip(construct->getArg(0));
      for (unsigned index = 1; index < construct->getNumArgs(); ++index)
        if (!llvm::isa<clang::CXXDefaultArgExpr>(construct->getArg(index))) return Form::kOther;
      expr = first;
    } else if (const auto* cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(expr)) {
      expr = cast->getSubExpr();
    } else {
      return !expr->getType().isNull() && expr->getType()->isArithmeticType() ? Form::kScalar : Form::kOther;
    }
  }
}

/// What a wrapper of one value (std::optional) is made from.
const clang::Expr* unwrapped(const clang::Expr* expr) {
  for (unsigned depth = 0; depth < 4; ++depth) {
    expr = strip(expr);
    const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(expr);
    if (construct == nullptr || construct->getNumArgs() == 0) return expr;
    for (unsigned index = 1; index < construct->getNumArgs(); ++index)
      if (!llvm::isa<clang::CXXDefaultArgExpr>(construct->getArg(index))) return expr;
    expr = construct->getArg(0);
  }
  return expr;
}

bool is_forwarding(const clang::FunctionDecl& callee, unsigned index) {
  const clang::FunctionDecl* pattern = callee.getTemplateInstantiationPattern();
  if (pattern == nullptr || index >= pattern->getNumParams()) return pattern != nullptr;
  clang::QualType type = pattern->getParamDecl(index)->getType();
  if (const auto* expansion = type->getAs<clang::PackExpansionType>()) type = expansion->getPattern();
  return type->isRValueReferenceType() || pattern->getParamDecl(index)->isParameterPack();
}

bool expects_throw(clang::SourceLocation location, const clang::SourceManager& sources,
                   const clang::LangOptions& language) {
  while (location.isMacroID()) {
    if (sources.isMacroArgExpansion(location) &&
        clang::Lexer::getImmediateMacroName(location, sources, language).contains("THROW"))
      return true;
    location = sources.getImmediateMacroCallerLoc(location);
  }
  return false;
}

std::optional<Device> device_from_text(llvm::StringRef text) {
  if (text == "cpu") return Device::cpu();
  if (text == "cuda") return Device::cuda(Device::kCurrent);
  int index = 0;
  if (text.consume_front("cuda:") && !text.getAsInteger(10, index) && index >= 0)
    return Device::cuda(index);
  return std::nullopt;
}

const clang::StringLiteral* find_literal(const clang::Expr* expr) {
  for (unsigned depth = 0; expr != nullptr && depth < 8; ++depth) {
    expr = strip(expr);
    if (const auto* literal = llvm::dyn_cast<clang::StringLiteral>(expr)) return literal;
    const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(expr);
    if (construct == nullptr || construct->getNumArgs() == 0) return nullptr;
    expr = construct->getArg(0);
  }
  return nullptr;
}

/// Where the last of the local variables that an expression names was declared.
class NewestName : public clang::RecursiveASTVisitor<NewestName> {
 public:
  explicit NewestName(const clang::SourceManager& sources) : sources_(sources) {}
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(expr->getDecl());
    if (variable == nullptr || !variable->isLocalVarDecl()) return true;
    const clang::SourceLocation at = variable->getLocation();
    if (found.isInvalid() || sources_.isBeforeInTranslationUnit(found, at)) found = at;
    return true;
  }
  clang::SourceLocation found;

 private:
  const clang::SourceManager& sources_;
};

bool has_own_forward(const clang::CXXRecordDecl& record, unsigned args,
                     const clang::CXXMethodDecl*& found) {
  for (const clang::CXXRecordDecl* at = record.getDefinition(); at != nullptr;) {
    for (const clang::CXXMethodDecl* method : at->methods())
      if (method->getNameAsString() == "forward" && method->getNumParams() >= args &&
          method->getMinRequiredArguments() <= args) {
        found = method;
        return true;
      }
    const clang::CXXRecordDecl* base = nullptr;
    for (const clang::CXXBaseSpecifier& specifier : at->bases())
      if (const auto* parent = specifier.getType()->getAsCXXRecordDecl())
        if (base == nullptr) base = parent->getDefinition();
    at = base;
  }
  return false;
}

}  // namespace

const clang::FunctionDecl* Reader::summarised(const clang::FunctionDecl* callee) {
  const clang::FunctionDecl* definition = nullptr;
  if (callee == nullptr || !callee->hasBody(definition) || types_.in_library(*callee)) return nullptr;
  if (context_.getSourceManager().isInSystemHeader(definition->getLocation())) return nullptr;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
  // What a virtual call runs is not known, unless nothing can override it.
  if (method != nullptr && method->isVirtual() &&
      method->getParent()->hasDefinition() && !method->hasAttr<clang::FinalAttr>() &&
      !method->getParent()->isEffectivelyFinal() && method->getNameAsString() != "forward")
    return nullptr;
  return definition;
}

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

Call Reader::new_call(const clang::Expr& expr, const clang::FunctionDecl* callee, TypeInfo result) {
  Call call;
  call.result = result;
  call.spot = spot(expr.getSourceRange());
  call.callee_spot = spot(clang::SourceRange(expr.getExprLoc(), expr.getExprLoc()));
  call.expects_throw = expects_throw(expr.getBeginLoc(), context_.getSourceManager(),
                                     context_.getLangOpts());
  call.discarded = scan_.discarded.contains(&expr);
  if (callee != nullptr) {
    call.name = callee->getDeclName().isIdentifier() ? callee->getNameAsString()
                                                     : callee->getDeclName().getAsString();
    const std::string& qualified = types_.qualified_name(*callee);
    call.library = types_.in_library(*callee) || llvm::StringRef(qualified).starts_with("std::") ||
                   callee->getBuiltinID() != 0;
    call.callee = summarised(callee);
  }
  return call;
}

Operand Reader::operand(const clang::Expr* expr, const clang::FunctionDecl* callee,
                        unsigned parameter) {
  Operand operand;
  operand.value = value_of(expr);
  operand.place = place_of(expr);
  operand.role = types_.of(expr->getType()).role;
  operand.form = form_of(expr);
  operand.spot = spot(expr->getSourceRange());
  if (callee != nullptr && parameter < callee->getNumParams()) {
    const clang::QualType type = callee->getParamDecl(parameter)->getType();
    const bool by_reference =
        type->isLValueReferenceType() && !type->getPointeeType().isConstQualified();
    if (by_reference && !is_forwarding(*callee, parameter)) operand.pass = Pass::kMutable;
    if (type->isPointerType() && operand.role != Role::kModule) operand.pass = Pass::kMutable;
  }
  return operand;
}

void Reader::add_arguments(Call& call, llvm::ArrayRef<const clang::Expr*> arguments,
                           const clang::FunctionDecl* callee, unsigned first_parameter) {
  std::vector<Operand> operands;
  for (unsigned index = 0; index < arguments.size(); ++index) {
    const clang::Expr* argument = arguments[index];
    if (llvm::isa<clang::CXXDefaultArgExpr>(argument)) continue;
    operands.push_back(operand(argument, callee, first_parameter + index));
    const TypeInfo type = types_.of(argument->getType());
    std::string parameter;
    if (callee != nullptr && first_parameter + index < callee->getNumParams())
      parameter = callee->getParamDecl(first_parameter + index)->getNameAsString();
    if (llvm::StringRef(parameter).starts_with("dim")) call.has_dims = true;
    bool truth = false;
    if (parameter == "copy" && !argument->isValueDependent() &&
        argument->EvaluateAsBooleanCondition(truth, context_) && truth)
      call.forces_copy = true;
    const clang::Expr* written = unwrapped(argument);
    if (written->getType()->isBooleanType() && !written->isValueDependent() &&
        written->EvaluateAsBooleanCondition(truth, context_)) {
      if (parameter == "non_blocking" && truth) call.non_blocking = true;
      if (!call.flag) call.flag = truth;
    }
    if (type.role == Role::kScalarType || type.role == Role::kTensor) call.converts = true;
    if (type.role == Role::kOptions) {
      // Options made from nothing but a device convert nothing.
      const clang::Expr* options = strip(argument);
      const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(options);
      const bool only_device = construct != nullptr && construct->getNumArgs() >= 1 &&
                               types_.of(construct->getArg(0)->getType()).role == Role::kDevice;
      const bool from_text = construct != nullptr && find_literal(options) != nullptr;
      if (!only_device && !from_text) call.converts = true;
    }
    if (type.role != Role::kDevice && type.role != Role::kOptions)
      call.conversion +=
          clang::Lexer::getSourceText(
              clang::CharSourceRange::getTokenRange(argument->getSourceRange()),
              context_.getSourceManager(), context_.getLangOpts())
              .str() +
          ",";
  }
  call.arguments = std::move(operands);
}

void Reader::finish_call(const clang::Expr& expr, Call call) {
  const auto id = static_cast<CallId>(facts_.calls.size());
  const Role role = call.result.role;
  facts_.calls.push_back(std::move(call));
  Fact& fact = emit(FactKind::kCall, &expr);
  fact.call = id;
  fact.role = role;
  fact.value = new_value(&expr);
}

/// `std::tie(a, b) = value`, and ties in it.
void Reader::store_tie(const clang::Expr& tie, ValueId value, const clang::Expr& at) {
  unsigned index = 0;
  const std::vector<TiePart> parts = ties_.lookup(&tie);
  for (const TiePart& part : parts) {
    const unsigned number = index++;
    if (part.place == 0 && part.nested == nullptr) continue;
    Fact& fact = emit(value == 0 ? FactKind::kFresh : FactKind::kTupleElement, &at);
    fact.operands = {value};
    fact.index = value == 0 ? 0 : number;
    fact.role = part.nested != nullptr ? Role::kTuple
                : facts_.places[part.place].fields.empty()
                    ? facts_.variables[facts_.places[part.place].root].type.role
                    : facts_.fields[facts_.places[part.place].fields.back()].type.role;
    const ValueId element = fact.value = next_value_++;
    if (part.nested != nullptr) store_tie(*part.nested, element, at);
    else store(part.place, element, &at);
  }
}

void Reader::read_assignment(const clang::Expr& expr, const clang::Expr& to,
                             const clang::Expr& from) {
  const ValueId value = value_of(&from);
  if (ties_.count(strip(&to)) != 0) return store_tie(*strip(&to), value, expr);
  const PlaceId where = place_of(&to);
  if (where != 0) {
    const ValueId target = value_of(&to);
    for (auto fact = block_->facts.rbegin(); target != 0 && fact != block_->facts.rend(); ++fact)
      if (fact->kind == FactKind::kLoad && fact->value == target) {
        fact->index = kLoadOfTarget;
        break;
      }
    store(where, value, &expr);
    // An assignment through a reference to an element changes the list.
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(strip(&to))) {
      const auto list = element_of_.find(reference->getDecl());
      if (list != element_of_.end()) {
        Fact& load = emit(FactKind::kLoad, &expr);
        load.place = list->second;
        const ValueId loaded = load.value = next_value_++;
        lose(loaded, "an element was assigned", &expr);
      }
    }
    Fact& again = emit(FactKind::kLoad, &expr);
    again.place = where;
    again.index = kLoadOfAssigned;
    again.value = new_value(&expr);
    expr_places_[&expr] = where;
    return;
  }
  // `list[i] = x`, `f() = x`: what is changed is a part of what the left side was taken from.
  const clang::Expr* base = strip(&to);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(base); call != nullptr) {
    const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
    const clang::Expr* owner = method != nullptr       ? method->getImplicitObjectArgument()
                               : call->getNumArgs() > 0 ? call->getArg(0)
                                                        : nullptr;
    if (owner != nullptr) lose(value_of(owner), "a part of it was assigned", &expr);
  } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) {
    lose(value_of(subscript->getBase()), "an element was assigned", &expr);
  }
  values_[&expr] = value;
}

bool Reader::read_operator(const clang::CXXOperatorCallExpr& expr) {
  const TypeInfo first = types_.of(expr.getArg(0)->getType());
  switch (expr.getOperator()) {
    case clang::OO_Arrow:
      pass(expr, expr.getArg(0));
      return true;
    case clang::OO_Star:
      if (expr.getNumArgs() != 1) return false;
      if (value_of(expr.getArg(0)) != 0) pass(expr, expr.getArg(0));
      else fresh(expr, "through an iterator or an untracked pointer");
      return true;
    case clang::OO_Equal: {
      const TypeInfo type = types_.of(expr.getArg(0)->getType());
      if (type.role == Role::kNone && ties_.count(strip(expr.getArg(0))) == 0) return true;
      // A scalar given to a tensor element writes the data.
      if (type.role == Role::kTensor && types_.of(expr.getArg(1)->getType()).role == Role::kNone &&
          place_of(expr.getArg(0)) == 0)
        return false;
      const auto* callee = expr.getDirectCallee();
      const bool rvalue_target = type.role == Role::kTensor && place_of(expr.getArg(0)) == 0;
      if (rvalue_target && llvm::isa_and_nonnull<clang::CXXMethodDecl>(callee)) {
        // `x[i] = y` copies into the data of x.
        Call call = new_call(expr, callee, {});
              call.name = "copy_";
        call.model = models_.find(
            types_.qualified_name(*llvm::cast<clang::CXXMethodDecl>(callee)->getParent()) + "::copy_",
            1);
        call.library = true;
        call.callee = nullptr;
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
      if (first.role == Role::kList) {
        const ValueId list = value_of(expr.getArg(0));
        if (list == 0) return fresh(expr, "element of an untracked list"), true;
        Fact& fact = emit(FactKind::kElement, &expr);
        fact.operands = {list};
        fact.role = types_.of(expr.getType()).role;
        fact.value = new_value(&expr);
        return true;
      }
      return false;
    default: return false;
  }
}

/// What fixes need to know of the receiver and of the names in the call.
void Reader::describe_receiver(const clang::CallExpr& expr, const clang::Expr& receiver, Call& call) {
  const clang::Expr* object = strip(&receiver);
  call.receiver_temporary = root_of(&receiver) == nullptr && !llvm::isa<clang::CXXThisExpr>(object);
  const clang::ValueDecl* named = nullptr;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(object)) named = reference->getDecl();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(object)) named = member->getMemberDecl();
  if (named != nullptr) {
    call.receiver_name = named->getNameAsString();
    call.receiver_assignable = llvm::isa<clang::VarDecl, clang::FieldDecl, clang::BindingDecl>(named) &&
                               !object->getType().isConstQualified() &&
                               types_.of(object->getType()).role == Role::kTensor;
  }
  NewestName newest(context_.getSourceManager());
  newest.TraverseStmt(const_cast<clang::CallExpr*>(&expr));
  call.newest_name.begin = call.newest_name.end = newest.found.getRawEncoding();
}

void Reader::read_call(const clang::CallExpr& expr) {
  const clang::FunctionDecl* callee = expr.getDirectCallee();
  const TypeInfo result = types_.of(expr.getType());
  llvm::SmallVector<const clang::Expr*, 6> arguments(expr.arg_begin(), expr.arg_end());
  const clang::Expr* receiver = nullptr;
  if (const auto* method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expr)) {
    receiver = method->getImplicitObjectArgument();
  } else if (llvm::isa<clang::CXXOperatorCallExpr>(expr) && callee != nullptr &&
             llvm::isa<clang::CXXMethodDecl>(callee) && !arguments.empty()) {
    receiver = arguments.front();
    arguments.erase(arguments.begin());
  }
  // Conversions of a wrapper to what it wraps.
  if (callee != nullptr && llvm::isa<clang::CXXConversionDecl>(callee)) {
    if (result.role != Role::kNone) pass_copy(expr, receiver, result);
    if (result.role != Role::kNone && value_of(&expr) == 0) fresh(expr, "conversion");
    return;
  }
  unsigned written = 0;
  for (const clang::Expr* argument : arguments)
    written += !llvm::isa<clang::CXXDefaultArgExpr>(argument);
  read_host_arguments(expr, callee, arguments, written);

  const TypeInfo receiver_type = receiver == nullptr ? TypeInfo{} : types_.of(receiver->getType());
  // Calling a module holder runs its module's forward.
  if (callee != nullptr && receiver_type.role == Role::kModule && receiver_type.record != nullptr &&
      llvm::isa<clang::CXXMethodDecl>(callee) && callee->getOverloadedOperator() == clang::OO_Call &&
      types_.in_library(*callee)) {
    const clang::CXXMethodDecl* forward = nullptr;
    if (has_own_forward(*receiver_type.record, written, forward)) callee = forward;
  }
  Call call = new_call(expr, callee, result);
  if (callee != nullptr) call.model = flow_model(*callee, written);
  if (call.model != nullptr) call.callee = nullptr;
  if (receiver != nullptr) {
    call.has_receiver = true;
    call.receiver = operand(receiver, nullptr, 0);
    describe_receiver(expr, *receiver, call);
    call.receiver_record = types_.of(strip(receiver)->getType()).record;
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    if (method == nullptr || !method->isConst()) call.receiver.pass = Pass::kMutable;
  }
  unsigned first_parameter = 0;
  if (receiver == nullptr && call.model != nullptr && call.model->kind == CallKind::kTransfer &&
      !arguments.empty()) {
    // `upload(x)` is to a check what `x.upload()` is.
    call.has_receiver = true;
    call.receiver = operand(arguments.front(), callee, 0);
    describe_receiver(expr, *arguments.front(), call);
    arguments.erase(arguments.begin());
    first_parameter = 1;
  }
  add_arguments(call, arguments, callee, first_parameter);
  if (call.model != nullptr && call.model->exposes && receiver == nullptr && !arguments.empty())
    call.pageable = pageable_owner(*arguments.front());
  if (call.model != nullptr && call.name == "device" && call.model->kind == CallKind::kOptions)
    resolve_device_arguments(expr, arguments, call);

  read_pointer_call(expr, call, receiver);

  if (call.model != nullptr) {
    const ValueId subject = call.has_receiver           ? call.receiver.value
                            : call.arguments.empty() ? 0
                                                     : call.arguments.front().value;
    switch (call.model->kind) {
      case CallKind::kPass:
        if (call.model->requires_ == Requirement::kNone && !call.model->writes &&
            call.model->discard.empty()) {
          pass(expr, receiver != nullptr ? receiver
                                         : (arguments.empty() ? nullptr : arguments.front()));
          if (result.role != Role::kNone && value_of(&expr) == 0) fresh(expr, "of an untracked value");
          return;
        }
        break;
      case CallKind::kElement: {
        if (result.role == Role::kNone) return;
        if (subject == 0) return fresh(expr, "element of an untracked value");
        const bool tuple = (call.has_receiver ? call.receiver : call.arguments.front()).role ==
                           Role::kTuple;
        unsigned index = 0;
        if (tuple)
          if (const auto* parameters = callee->getTemplateSpecializationArgs();
              parameters != nullptr && parameters->size() > 0 &&
              parameters->get(0).getKind() == clang::TemplateArgument::Integral)
            index = static_cast<unsigned>(parameters->get(0).getAsIntegral().getZExtValue());
        Fact& fact = emit(tuple ? FactKind::kTupleElement : FactKind::kElement, &expr);
        fact.operands = {subject};
        fact.index = index;
        fact.role = result.role;
        fact.record = result.record;
        fact.value = new_value(&expr);
        return;
      }
      case CallKind::kTuple: {
        std::vector<ValueId> parts;
        std::vector<TiePart> places;
        for (const Operand& argument : call.arguments) parts.push_back(argument.value);
        for (const clang::Expr* argument : arguments) {
          const clang::Expr* part = strip(argument);
          places.push_back({place_of(part), ties_.count(part) != 0 ? part : nullptr});
        }
        if (call.name == "tie" || call.name == "forward_as_tuple") ties_[&expr] = places;
        if (call.name == "tie" || result.role == Role::kNone) return;
        Fact& fact = emit(FactKind::kTuple, &expr);
        fact.operands = std::move(parts);
        fact.value = new_value(&expr);
        return;
      }
      case CallKind::kMakeHandle:
        if (result.role != Role::kModule || result.record == nullptr) break;
        call.form = CallForm::kNewModule;
        call.callee = summarised(constructor(*result.record, static_cast<unsigned>(arguments.size())));
        call.library = types_.in_library(*result.record);
        call.model = nullptr;
        break;
      default: break;
    }
  }
  finish_call(expr, std::move(call));
}

/// The device that `device(arguments...)` makes, where the arguments are constants: a kind, a kind and an
/// index, a text. Unknown where they give a device that cannot be told; none where they are one already.
std::optional<Device> Reader::constant_device(llvm::ArrayRef<const clang::Expr*> arguments) const {
  if (arguments.empty() || llvm::isa<clang::CXXDefaultArgExpr>(arguments.front()))
    return std::nullopt;
  const clang::Expr* first = strip(arguments.front());
  if (first->getType().isNull()) return Device::unknown();
  if (const clang::StringLiteral* text = find_literal(first))
    return device_from_text(text->getString()).value_or(Device::unknown());
  if (types_.of(first->getType()).role == Role::kNone)
    return first->getType()->isArithmeticType() ? std::nullopt
                                                : std::optional<Device>(Device::unknown());
  const bool indexed =
      arguments.size() > 1 && !llvm::isa<clang::CXXDefaultArgExpr>(arguments[1]) &&
      arguments[1]->getType()->isIntegralOrEnumerationType();
  const auto* enumeration = first->getType()->getAs<clang::EnumType>();
  if (!indexed || enumeration == nullptr || types_.of(first->getType()).role != Role::kDevice)
    return std::nullopt;
  clang::Expr::EvalResult kind;
  clang::Expr::EvalResult index;
  if (first->isValueDependent() || !first->EvaluateAsInt(kind, context_)) return Device::unknown();
  for (const clang::EnumConstantDecl* constant : enumeration->getDecl()->enumerators()) {
    if (llvm::APSInt::compareValues(constant->getInitVal(), kind.Val.getInt()) != 0) continue;
    if (constant->getName() == "CPU") return Device::cpu();
    if (constant->getName() == "CUDA" && !arguments[1]->isValueDependent() &&
        arguments[1]->EvaluateAsInt(index, context_))
      return Device::cuda(static_cast<std::int32_t>(index.Val.getInt().getExtValue()));
  }
  return Device::unknown();
}

/// The device that an expression is, where it is written out: `torch::kCUDA`, `Device("cuda:1")`.
std::optional<Device> Reader::written_device(const clang::Expr* expr) const {
  for (unsigned depth = 0; expr != nullptr && depth < 8; ++depth) {
    expr = strip(expr);
    if (expr->getType().isNull() || expr->isValueDependent()) return std::nullopt;
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expr)) {
      expr = list->getNumInits() == 1 ? list->getInit(0) : nullptr;
    } else if (const auto* cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(expr)) {
      expr = cast->getSubExpr();
    } else if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(expr)) {
      const llvm::SmallVector<const clang::Expr*, 2> arguments(construct->arg_begin(),
                                                               construct->arg_end());
      if (const std::optional<Device> known = constant_device(arguments)) return known;
      expr = arguments.empty() ? nullptr : arguments.front();
    } else {
      clang::Expr::EvalResult result;
      const auto* enumeration = expr->getType()->getAs<clang::EnumType>();
      if (enumeration == nullptr || types_.of(expr->getType()).role != Role::kDevice ||
          !expr->EvaluateAsInt(result, context_))
        return std::nullopt;
      for (const clang::EnumConstantDecl* constant : enumeration->getDecl()->enumerators()) {
        if (llvm::APSInt::compareValues(constant->getInitVal(), result.Val.getInt()) != 0) continue;
        if (constant->getName() == "CPU") return Device::cpu();
        if (constant->getName() == "CUDA") return Device::cuda(Device::kCurrent);
      }
      return std::nullopt;
    }
  }
  return std::nullopt;
}

ValueId Reader::device_value(const clang::Expr& at, Device device) {
  Fact& fact = emit(device.kind == DeviceKind::kUnknown ? FactKind::kFresh : FactKind::kDevice, &at);
  fact.device = device;
  fact.role = Role::kDevice;
  fact.value = next_value_++;
  return fact.value;
}

void Reader::read_device_construct(const clang::CXXConstructExpr& expr) {
  llvm::SmallVector<const clang::Expr*, 2> arguments(expr.arg_begin(), expr.arg_end());
  const std::optional<Device> known = constant_device(arguments);
  if (!known && !arguments.empty() &&
      types_.of(strip(arguments.front())->getType()).role == Role::kDevice)
    return pass(expr, arguments.front());
  values_[&expr] = device_value(expr, known.value_or(Device::unknown()));
}

/// Options and devices made from texts and indices get their device as an argument's value.
void Reader::resolve_device_arguments(const clang::Expr& expr,
                                      llvm::ArrayRef<const clang::Expr*> arguments, Call& call) {
  if (call.arguments.empty()) return;
  const std::optional<Device> known = constant_device(arguments);
  if (!known) return;
  call.arguments.front().value = device_value(expr, *known);
  call.arguments.front().role = Role::kDevice;
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
  if (callee->isCopyOrMoveConstructor() && arguments.size() >= 1 && type.role != Role::kNone)
    return pass_copy(expr, arguments.front(), type);
  const bool one = followed.size() == 1;
  const FunctionModel* model =
      flow_model(*callee, static_cast<unsigned>(arguments.size()));
  switch (type.role) {
    case Role::kDevice: return read_device_construct(expr);
    case Role::kRecord:
      // A class without a constructor of its own, or one that a row says to be made of its fields.
      if ((arguments.empty() && callee->isDefaultConstructor() && !callee->isUserProvided()) ||
          (model != nullptr && model->kind == CallKind::kTuple)) {
        values_[&expr] = make_record(expr, type, arguments);
        return;
      }
      break;
    case Role::kTensor:
      if (one && types_.of(followed.front()->getType()).role == Role::kTensor)
        return pass(expr, followed.front());
      return fresh(expr, "undefined tensor");
    case Role::kIndex: return;
    case Role::kScalarType:
      if (one) pass(expr, followed.front());
      return;
    case Role::kTuple: {
      if (arguments.empty()) return fresh(expr, nullptr);
      std::vector<ValueId> parts;
      if (one && types_.of(followed.front()->getType()).role == Role::kTuple)
        return pass(expr, followed.front());
      for (const clang::Expr* argument : arguments) parts.push_back(value_of(argument));
      Fact& fact = emit(FactKind::kTuple, &expr);
      fact.operands = std::move(parts);
      fact.value = new_value(&expr);
      return;
    }
    case Role::kList: {
      if (one && types_.of(followed.front()->getType()).role == Role::kList)
        return pass_copy(expr, followed.front(), type);
      std::vector<ValueId> elements;
      for (const clang::Expr* argument : followed) elements.push_back(value_of(argument));
      Fact& fact = emit(FactKind::kList, &expr);
      fact.operands = std::move(elements);
      fact.index = arguments.size() != followed.size() && followed.empty() ? 1 : 0;
      fact.value = new_value(&expr);
      return;
    }
    default: break;
  }
  if (type.role == Role::kModule && type.handle && one && arguments.size() == 1 &&
      types_.of(followed.front()->getType()).role == Role::kModule) {
    const TypeInfo from = types_.of(followed.front()->getType());
    if (from.handle || types_.in_library(*callee)) return pass(expr, followed.front());
  }
  Call call = new_call(expr, callee, type);
  call.model = model;
  call.form = CallForm::kConstruct;
  add_arguments(call, arguments, callee, 0);
  if (type.role == Role::kOptions) resolve_device_arguments(expr, arguments, call);
  if (type.role == Role::kModule) {
    if (type.handle) {
      const bool null = arguments.size() == 1 && followed.empty() &&
                        strip(arguments.front())->getType()->isNullPtrType();
      const bool library_holder = types_.in_library(*callee) ||
                                  callee->isInheritingConstructor() || !callee->isUserProvided();
      if (null || type.record == nullptr || (arguments.empty() && !library_holder))
        return fresh(expr, "empty module handle");
      call.form = CallForm::kNewModule;
      call.callee = nullptr;
      if (library_holder)
        call.callee =
            summarised(constructor(*type.record, static_cast<unsigned>(arguments.size())));
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

void Reader::read_base_initializer(const clang::CXXCtorInitializer& initializer) {
  const auto* construct =
      llvm::dyn_cast_or_null<clang::CXXConstructExpr>(strip(initializer.getInit()));
  if (construct == nullptr || facts_.this_class == nullptr ||
      facts_.variables[kThisVariable].type.role == Role::kNone)
    return;
  const clang::CXXConstructorDecl* callee = construct->getConstructor();
  if (types_.in_library(*callee)) return;
  // The base's constructor runs on this object.
  Call call = new_call(*construct, callee, {});
  call.name = callee->getParent()->getNameAsString();
  call.has_receiver = true;
  Fact& self = emit(FactKind::kLoad, construct);
  self.place = place(kThisVariable, {});
  call.receiver.value = self.value = next_value_++;
  call.receiver.role = Role::kModule;
  call.receiver.pass = Pass::kMutable;
  llvm::SmallVector<const clang::Expr*, 6> arguments(construct->arg_begin(), construct->arg_end());
  add_arguments(call, arguments, callee, 0);
  const auto id = static_cast<CallId>(facts_.calls.size());
  facts_.calls.push_back(std::move(call));
  Fact& fact = emit(FactKind::kCall, construct);
  fact.call = id;
}

}  // namespace xfer::analyzer
