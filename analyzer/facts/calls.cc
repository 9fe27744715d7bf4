// Calls of functions, by what their model says, and of functions with a body here.

#include "analyzer/facts/function_holders.h"
#include "analyzer/facts/module_parts.h"
#include "analyzer/facts/reader.h"

namespace xfer::analyzer {
const clang::FunctionDecl* Reader::summarised(const clang::FunctionDecl* callee) {
  if (callee == nullptr || types_.in_library(*callee)) return nullptr;
  const clang::FunctionDecl* definition = nullptr;
  // A function without a body here may have one in another unit.
  if (!callee->hasBody(definition)) definition = callee->getCanonicalDecl();
  if (is_in_system_header(*definition)) return nullptr;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
  // The function that a virtual call runs is unknown, unless nothing can override the method.
  if (method != nullptr && may_be_overridden(*method) &&
      !models_.is_forward(method->getNameAsString()))
    return nullptr;
  return definition;
}

/// The team's method that a virtual call names.
FunctionId Reader::virtual_method(const clang::FunctionDecl& callee) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
  if (method == nullptr || !method->isVirtual() || types_.in_library(callee) ||
      is_in_system_header(callee))
    return {};
  return declarations_.of(&callee);
}

void Reader::read_call(const clang::CallExpr& expr) {
  const clang::FunctionDecl* callee = expr.getDirectCallee();
  if (read_swap(expr) || (types_.follows_memory() && read_launch_call(expr))) return;
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
    if (result.role != Role::kNone && !value_of(&expr)) fresh(expr, "conversion");
    return;
  }
  unsigned written = 0;
  for (const clang::Expr* argument : arguments)
    written += !llvm::isa<clang::CXXDefaultArgExpr>(argument);
  read_host_arguments(expr, callee, arguments, written);

  const TypeInfo receiver_type = receiver == nullptr ? TypeInfo{} : types_.of(receiver->getType());
  // Calling a module holder runs its module's forward.
  if (callee != nullptr && receiver_type.role == Role::kModule && receiver_type.record != nullptr &&
      llvm::isa<clang::CXXMethodDecl>(callee) &&
      callee->getOverloadedOperator() == clang::OO_Call && types_.in_library(*callee)) {
    if (const auto* forward = forward_of(*receiver_type.record, written, models_)) callee = forward;
  }
  ReadCall call = new_call(expr, callee, result);
  if (callee != nullptr) {
    call.model = flow_model(*callee, written);
    const FunctionModel* row = types_.model(*callee, written);
    call.asks_time = clocks_.reads_clock(*callee, written) || clocks_.given_clock(expr);
    call.at_once |= row != nullptr && row->at_once;
  }
  if (call.model != nullptr) call.runs = nullptr;
  if (call.model != nullptr && call.model->module_parts)
    call.named = declarations_.of_parts();
  else if (const clang::ValueDecl* holder = holder_called(expr, types_))
    call.named = declarations_.of_held(*holder);
  call.parameter = parameter_called(expr);
  if (receiver != nullptr) {
    call.has_receiver = true;
    call.receiver = operand(receiver, nullptr, 0);
    describe_receiver(expr, *receiver, call);
    call.receiver_record = declarations_.of(types_.of(strip(receiver)->getType()).record);
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
  if (types_.follows_memory()) {
    describe_memory(expr, callee, call);
    write_out_pointer(expr, call);
  }
  if (const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call.runs);
      method != nullptr && method->getParent()->isLambda())
    give_captures(expr, *method->getParent(), call);
  if (call.model != nullptr && call.model->exposes && receiver == nullptr && !arguments.empty())
    call.pageable = pageable_owner(*arguments.front());
  if (call.model != nullptr &&
      (call.model->sets == OptionSet::kDevice || call.model->kind == CallKind::kSetIndex))
    resolve_device_arguments(expr, arguments, call);

  if (call.model != nullptr && call.model->kind == CallKind::kSetDevice)
    set_current(expr, arguments, VariableId());
  read_pointer_call(expr, call, receiver);

  if (call.model != nullptr) {
    const ValueId subject = call.has_receiver        ? call.receiver.value
                            : call.arguments.empty() ? ValueId()
                                                     : call.arguments.front().value;
    switch (call.model->kind) {
      case CallKind::kPass:
        if (call.model->requires_ == Requirement::kNone && !call.model->writes &&
            call.model->discard.empty()) {
          pass(expr,
               receiver != nullptr ? receiver : (arguments.empty() ? nullptr : arguments.front()));
          if (result.role != Role::kNone && !value_of(&expr)) fresh(expr, "of an untracked value");
          return;
        }
        break;
      case CallKind::kElement: {
        if (result.role == Role::kNone) return;
        if (!subject) return fresh(expr, "element of an untracked value");
        const bool tuple =
            (call.has_receiver ? call.receiver : call.arguments.front()).role == Role::kTuple;
        unsigned index = 0;
        if (tuple)
          if (const auto* parameters = callee->getTemplateSpecializationArgs();
              parameters != nullptr && parameters->size() > 0 &&
              parameters->get(0).getKind() == clang::TemplateArgument::Integral)
            index = static_cast<unsigned>(parameters->get(0).getAsIntegral().getZExtValue());
        const ValueType type = value_type(result);
        if (tuple)
          define(fact::PartOf{subject, index, type}, expr);
        else
          define(fact::ElementOf{subject, type, is_at(expr) ? element_key(expr.getArg(0)) : 0},
                 expr);
        return;
      }
      case CallKind::kTie:
      case CallKind::kTuple: {
        std::vector<ValueId> parts;
        std::vector<TiePart> places;
        for (const Operand& argument : call.arguments) parts.push_back(argument.value);
        for (const clang::Expr* argument : arguments) {
          const clang::Expr* part = strip(argument);
          places.push_back({place_of(part), ties_.count(part) != 0 ? part : nullptr});
        }
        const bool tie = call.model->kind == CallKind::kTie;
        if (tie || call.model->references) ties_[&expr] = places;
        if (tie || result.role == Role::kNone) return;
        define(fact::Tuple{std::move(parts)}, expr);
        return;
      }
      case CallKind::kMakeHandle:
        if (result.role == Role::kDevice && arguments.size() == 1) {
          pass(expr, arguments.front());
          if (!value_of(&expr)) fresh(expr, "of an untracked value");
          return;
        }
        if (result.role == Role::kMemory) return fresh(expr, nullptr, Known::kHost);
        if ((result.role != Role::kModule && result.role != Role::kRecord) ||
            result.record == nullptr)
          break;
        // `make_unique<Module>(jit::load(file))` holds what it is given.
        if (arguments.size() == 1 && types_.of(arguments.front()->getType()).role == result.role &&
            types_.record_of(arguments.front()->getType()) == result.record &&
            value_of(arguments.front()))
          return pass(expr, arguments.front());
        call.form = result.role == Role::kModule ? CallForm::kNewModule : CallForm::kConstruct;
        call.runs =
            summarised(constructor(*result.record, static_cast<unsigned>(arguments.size())));
        call.library = types_.in_library(*result.record);
        call.model = nullptr;
        break;
      default: break;
    }
  }
  finish_call(expr, std::move(call));
}

}  // namespace xfer::analyzer
