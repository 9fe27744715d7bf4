// The operands of a call, and the facts that its arguments carry beside their values.

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

#include "analyzer/facts/at_once.h"
#include "analyzer/facts/declared_names.h"
#include "analyzer/facts/given_values.h"
#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
namespace {

/// A vector or an array, of however many values.
bool is_range(clang::QualType type, Types& types) {
  if (type->isArrayType()) return true;
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  const TypeModel* row = record == nullptr ? nullptr : types.model(*record);
  return row != nullptr && row->contiguous;
}

/// `Slice()`, `None`: an index that keeps a dimension or makes one.
bool keeps_dimension(const clang::Expr* index, Types& types) {
  for (unsigned depth = 0; depth < 4 && (index = strip(index)) != nullptr; ++depth) {
    const auto* record = index->getType()->getAsCXXRecordDecl();
    const TypeModel* row = record == nullptr ? nullptr : types.model(*record);
    if (row != nullptr && row->role == TypeRole::kSlice) return true;
    const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(index);
    if (construct == nullptr || construct->getNumArgs() == 0) return false;
    index = construct->getArg(0);
  }
  return false;
}

/// How many values an argument is written with, looking through the conversions to a list of sizes
/// or to tensor data.
Form form_of(const clang::Expr* expr, Types& types) {
  for (;;) {
    expr = strip(expr);
    if (expr == nullptr) return Form::kOther;
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expr)) {
      if (list->getNumInits() == 0) return Form::kEmptyBraces;
      const bool slices = llvm::any_of(
          list->inits(), [&](const clang::Expr* index) { return keeps_dimension(index, types); });
      return slices ? Form::kSlices : Form::kBraces;
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
      if (expr->getType().isNull()) return Form::kOther;
      if (is_range(expr->getType(), types)) return Form::kRange;
      return expr->getType()->isArithmeticType() ? Form::kScalar : Form::kOther;
    }
  }
}

/// The expression that a wrapper of one value (std::optional) is made from.
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

/// The type of a value, or of what `it->` and `optional->` name.
TypeInfo object_type(const clang::Expr& expr, Types& types) {
  const TypeInfo type = types.of(expr.getType());
  const auto* arrow = llvm::dyn_cast<clang::CXXOperatorCallExpr>(strip(&expr));
  const bool named = type.role == Role::kNone && arrow != nullptr &&
                     arrow->getOperator() == clang::OO_Arrow && expr.getType()->isPointerType();
  return named ? types.of(expr.getType()->getPointeeType()) : type;
}

bool is_forwarding(const clang::FunctionDecl& callee, unsigned index) {
  const clang::FunctionDecl* pattern = callee.getTemplateInstantiationPattern();
  if (pattern == nullptr || pattern->getNumParams() == 0) return pattern != nullptr;
  // Arguments behind the last parameter belong to its pack.
  clang::QualType type =
      pattern->getParamDecl(std::min(index, pattern->getNumParams() - 1))->getType();
  if (const auto* expansion = type->getAs<clang::PackExpansionType>())
    type = expansion->getPattern();
  return type->isRValueReferenceType();
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

/// Where the last of the local variables that an expression names was declared.
class NewestName : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit NewestName(const clang::SourceManager& sources) : sources_(sources) {}
  bool VisitDeclRefExpr(clang::DeclRefExpr* expr) override {
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

}  // namespace

ReadCall Reader::new_call(const clang::Expr& expr, const clang::FunctionDecl* callee,
                          TypeInfo result) {
  ReadCall call;
  call.result = declarations_.type(result);
  call.spot = spot(expr.getSourceRange());
  call.callee_spot = spot(clang::SourceRange(expr.getExprLoc(), expr.getExprLoc()));
  call.expects_failure =
      expects_throw(expr.getBeginLoc(), context_.getSourceManager(), context_.getLangOpts()) ||
      memory_.expected_failures.contains(&expr);
  call.discarded = scan_.discarded.contains(&expr);
  call.second_try = memory_.second_tries.contains(&expr);
  if (callee != nullptr) {
    call.name = callee->getDeclName().isIdentifier() ? name_written(*callee)
                                                     : callee->getDeclName().getAsString();
    const std::string& qualified = types_.qualified_name(*callee);
    // The iterators of libstdc++ are in __gnu_cxx.
    call.library = types_.in_library(*callee) || llvm::StringRef(qualified).starts_with("std::") ||
                   llvm::StringRef(qualified).starts_with("__gnu_cxx::") ||
                   callee->getBuiltinID() != 0;
    call.at_once = returns_at_once(*callee);
    call.in_place = models_.in_place(qualified);
    call.runs_forward = models_.is_forward(call.name);
    call.runs = summarised(callee);
    if (call.runs == nullptr) call.named = virtual_method(*callee);
  }
  return call;
}

Operand Reader::operand(const clang::Expr* expr, const clang::FunctionDecl* callee,
                        unsigned parameter) {
  Operand operand;
  operand.value = value_of(expr);
  operand.place = place_of(expr);
  if (!operand.place && is_element(*expr)) operand.whole = whole_of(expr);
  operand.role = object_type(*expr, types_).role;
  operand.form = form_of(expr, types_);
  // A callee that is given a pointer to an object may change the object.
  const TypeInfo given = types_.of(expr->getType());
  if (given.role == Role::kRecord && given.handle) operand.pass = Pass::kMutable;
  const auto* self = llvm::dyn_cast<clang::CXXThisExpr>(strip(expr));
  if (self == nullptr || !self->isImplicit()) operand.spot = spot(expr->getSourceRange());
  if (callee != nullptr && parameter < callee->getNumParams()) {
    const clang::QualType type = callee->getParamDecl(parameter)->getType();
    const bool forwarded = operand.role != Role::kModule && is_forwarding(*callee, parameter);
    if (is_mutable_reference(type) && !forwarded) operand.pass = Pass::kMutable;
    const bool written = operand.role != Role::kModule && operand.role != Role::kDevice;
    if (type->isPointerType() && written) operand.pass = Pass::kMutable;
    keep_as_number(*expr, type);
  }
  const auto is_given = [&](const clang::Expr& behind_address) {
    operand.value = value_of(&behind_address);
    operand.place = place_of(&behind_address);
    operand.role = object_type(behind_address, types_).role;
    operand.pass = Pass::kMutable;
  };
  // An object that is given by its address, as `void*` too, is itself.
  const clang::Expr* object = without_casts(expr);
  const clang::Expr* addressed = addressed_by(object);
  if (addressed != nullptr) object = strip(addressed);
  const bool may_name = operand.role == Role::kMemory || operand.role == Role::kRecord ||
                        (operand.role == Role::kNone && addressed != nullptr);
  if (may_name && !operand.value && object_type(*object, types_).role == Role::kRecord)
    is_given(*object);
  if (operand.role == Role::kMemory) describe_pointer(*expr, callee, parameter, operand);
  if (const clang::Expr* target = pointed_to(*expr)) is_given(*target);
  return operand;
}

/// Of `&tensor`, which the callee may write to, where the tensor is followed: the tensor.
const clang::Expr* Reader::pointed_to(const clang::Expr& expr) {
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(without_casts(&expr));
  if (address == nullptr || address->getOpcode() != clang::UO_AddrOf) return nullptr;
  const Role role = types_.of(address->getSubExpr()->getType()).role;
  const bool followed = role == Role::kTensor || role == Role::kList || role == Role::kTuple;
  const bool constant =
      expr.getType()->isPointerType() && expr.getType()->getPointeeType().isConstQualified();
  if (!followed || constant || !place_of(address->getSubExpr())) return nullptr;
  return address->getSubExpr();
}

void Reader::add_arguments(Call& call, llvm::ArrayRef<const clang::Expr*> arguments,
                           const clang::FunctionDecl* callee, unsigned first_parameter) {
  std::vector<Operand> operands;
  for (unsigned index = 0; index < arguments.size(); ++index) {
    const clang::Expr* argument = arguments[index];
    if (llvm::isa<clang::CXXDefaultArgExpr>(argument)) continue;
    operands.push_back(operand(argument, callee, first_parameter + index));
    operands.back().function =
        declarations_.given(function_given(argument, callee, first_parameter + index));
    const TypeInfo type = types_.of(argument->getType());
    std::string parameter;
    if (callee != nullptr && first_parameter + index < callee->getNumParams())
      parameter = callee->getParamDecl(first_parameter + index)->getNameAsString();
    // The row's keys that name the parameter.
    const auto is = [&](const std::string& named) { return !named.empty() && named == parameter; };
    if (call.model != nullptr) call.has_dims |= llvm::any_of(call.model->dims, is);
    if (type.role == Role::kDevice || type.role == Role::kOptions) {
      const std::optional<Device> written = written_device(argument, context_, types_);
      call.names_cpu |= written && written->is_cpu();
    }
    bool truth = false;
    if (call.model != nullptr && is(call.model->copies_if) && !argument->isValueDependent() &&
        argument->EvaluateAsBooleanCondition(truth, context_) && truth)
      call.forces_copy = true;
    const clang::Expr* written = unwrapped(argument);
    if (written->getType()->isBooleanType() && !written->isValueDependent() &&
        written->EvaluateAsBooleanCondition(truth, context_)) {
      if (call.model != nullptr && is(call.model->non_blocking_if) && truth)
        call.non_blocking = true;
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
      call.conversion += clang::Lexer::getSourceText(
                             clang::CharSourceRange::getTokenRange(argument->getSourceRange()),
                             context_.getSourceManager(), context_.getLangOpts())
                             .str() +
                         ",";
  }
  call.arguments = std::move(operands);
}

/// A pointer to memory: whether the callee may write there, or store another pointer.
void Reader::describe_pointer(const clang::Expr& expr, const clang::FunctionDecl* callee,
                              unsigned parameter, Operand& operand) {
  const clang::Expr* bare = without_casts(&expr);
  const bool declared = callee != nullptr && parameter < callee->getNumParams();
  const clang::QualType type =
      declared ? callee->getParamDecl(parameter)->getType() : expr.getType();
  const auto* address = llvm::dyn_cast<clang::UnaryOperator>(bare);
  if (address != nullptr && !memory_.addresses.contains(address)) address = nullptr;
  const clang::Expr* inner = address == nullptr ? nullptr : strip(address->getSubExpr());
  if (inner != nullptr && list_with(*inner) != nullptr) {
    operand.address = true;
    operand.place = {};
    operand.whole = whole_of(inner);
    const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(inner);
    operand.key = element_key(subscript != nullptr
                                  ? subscript->getIdx()
                                  : llvm::cast<clang::CXXOperatorCallExpr>(inner)->getArg(1));
  } else if (address != nullptr && place_of(address->getSubExpr())) {
    const TypeInfo target = types_.of(address->getSubExpr()->getType());
    operand.address = target.role == Role::kMemory && target.handle;
    if (operand.address) {
      operand.place = place_of(address->getSubExpr());
      operand.value = value_of(address->getSubExpr());
    }
  } else if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(bare)) {
    const auto* out = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
    operand.address = out != nullptr && memory_.out_parameters.contains(out);
    if (operand.address) operand.place = place(variable(*out), {});
  }
  if (declared && is_mutable_reference(type) && types_.of(type).handle) operand.address = true;
  const clang::QualType target = type.getNonReferenceType();
  const bool constant = target->isPointerType()
                            ? target->getPointeeType().isConstQualified()
                            : !is_mutable_reference(type) && !expr.getType()->isIntegerType();
  operand.pass = constant && !operand.address ? Pass::kValue : Pass::kMutable;
}

/// Describes the receiver and the names in the call, as fixes need to know them.
void Reader::describe_receiver(const clang::CallExpr& expr, const clang::Expr& receiver,
                               Call& call) {
  const clang::Expr* object = strip(&receiver);
  call.receiver_temporary = root_of(&receiver) == nullptr && !llvm::isa<clang::CXXThisExpr>(object);
  const clang::ValueDecl* named = nullptr;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(object))
    named = reference->getDecl();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(object))
    named = member->getMemberDecl();
  if (named != nullptr) {
    call.receiver_name = named->getNameAsString();
    call.receiver_assignable =
        llvm::isa<clang::VarDecl, clang::FieldDecl, clang::BindingDecl>(named) &&
        !object->getType().isConstQualified() && types_.of(object->getType()).role == Role::kTensor;
  }
  NewestName newest(context_.getSourceManager());
  newest.TraverseStmt(const_cast<clang::CallExpr*>(&expr));
  call.newest_name = spots_.of(newest.found);
}

/// Describes the values that the callee's choices of devices may rest on.
void Reader::describe_given(const clang::Expr& expr, ReadCall& call) {
  const clang::DeclContext* giver = function_;
  if (giver == nullptr) giver = context_.getTranslationUnitDecl();
  const unsigned count = call.runs->getNumParams();
  for (unsigned index = 0; index <= count; ++index)
    call.given.push_back(
        given_argument(expr, index < count ? index : kThisParameter, *giver, kept_));
}

CallId Reader::add_call(const clang::Expr& expr, ReadCall call) {
  if (call.runs != nullptr) {
    call.callee = declarations_.of(call.runs);
    describe_given(expr, call);
  }
  return facts_.calls.add(std::move(call));
}

void Reader::finish_call(const clang::Expr& expr, ReadCall call) {
  const CallId id = add_call(expr, std::move(call));
  if (types_.follows_memory()) streams_.add(expr, id);
  define(fact::Invoke{id}, expr);
  lose_wholes(facts_.calls[id], expr);
}

}  // namespace xfer::analyzer
