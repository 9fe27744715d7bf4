// Devices that are written out: `torch::kCUDA`, `Device("cuda:1")`, options made from a text.

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {

const clang::StringLiteral* find_literal(const clang::Expr* expr) {
  for (unsigned depth = 0; expr != nullptr && depth < 8; ++depth) {
    expr = strip(expr);
    if (const auto* literal = llvm::dyn_cast<clang::StringLiteral>(expr)) return literal;
    if (const auto* cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(expr)) {
      expr = cast->getSubExpr();
      continue;
    }
    // `constexpr const char* kPlace = "cuda:1"`
    if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
      const auto* constant = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
      const bool kept = constant != nullptr && constant->getType().isConstQualified() &&
                        !constant->getType()->isReferenceType();
      expr = kept ? constant->getAnyInitializer() : nullptr;
      continue;
    }
    const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(expr);
    if (construct == nullptr || construct->getNumArgs() == 0) return nullptr;
    expr = construct->getArg(0);
  }
  return nullptr;
}

Device enumerated_device(const clang::EnumType& type, const llvm::APSInt& value,
                         const ModelSet& models) {
  for (const clang::EnumConstantDecl* constant : type.getDecl()->enumerators()) {
    if (llvm::APSInt::compareValues(constant->getInitVal(), value) != 0) continue;
    if (models.names_cpu(constant->getName())) return Device::cpu();
    if (models.names_cuda(constant->getName())) return Device::cuda(Device::kCurrent);
  }
  return Device::unknown();
}

namespace {

/// "cpu", "cuda", "cuda:1"
std::optional<Device> device_from_text(llvm::StringRef text, const ModelSet& models) {
  const auto [word, number] = text.split(':');
  if (models.names_cpu(text)) return Device::cpu();
  if (models.names_cuda(text)) return Device::cuda(Device::kCurrent);
  int index = 0;
  if (models.names_cuda(word) && !number.getAsInteger(10, index) && index >= 0)
    return Device::cuda(index);
  return std::nullopt;
}

bool is_text(clang::QualType type, Types& types) {
  type = type.getNonReferenceType();
  if (type->isPointerType()) return type->getPointeeType()->isCharType();
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr) return false;
  const std::string& name = types.qualified_name(*record);
  return name == "std::basic_string" || name == "std::basic_string_view" || name == "std::string";
}

/// The device that `device(arguments...)` makes, where the arguments are constants: a kind, a kind
/// and an index, a text. Unknown where they give a device that cannot be told; none where they are
/// one already.
std::optional<Device> constant_device(llvm::ArrayRef<const clang::Expr*> arguments,
                                      const clang::ASTContext& context, Types& types) {
  if (arguments.empty() || llvm::isa<clang::CXXDefaultArgExpr>(arguments.front()))
    return std::nullopt;
  const clang::Expr* first = strip(arguments.front());
  if (first->getType().isNull()) return Device::unknown();
  if (const clang::StringLiteral* text = find_literal(first))
    return device_from_text(text->getString(), types.models()).value_or(Device::unknown());
  if (types.of(first->getType()).role == Role::kNone)
    return first->getType()->isArithmeticType() ? std::nullopt
                                                : std::optional<Device>(Device::unknown());
  const bool indexed = arguments.size() > 1 && !llvm::isa<clang::CXXDefaultArgExpr>(arguments[1]) &&
                       arguments[1]->getType()->isIntegralOrEnumerationType();
  const auto* enumeration = first->getType()->getAs<clang::EnumType>();
  if (!indexed || enumeration == nullptr || types.of(first->getType()).role != Role::kDevice)
    return std::nullopt;
  clang::Expr::EvalResult kind;
  clang::Expr::EvalResult index;
  if (first->isValueDependent() || !first->EvaluateAsInt(kind, context)) return Device::unknown();
  const Device named = enumerated_device(*enumeration, kind.Val.getInt(), types.models());
  if (!named.is_cuda()) return named;
  if (arguments[1]->isValueDependent() || !arguments[1]->EvaluateAsInt(index, context))
    return Device::unknown();
  return Device::cuda(static_cast<std::int32_t>(index.Val.getInt().getExtValue()));
}

/// The CUDA device with this index; unknown, where it is no constant.
Device indexed_device(const clang::Expr& index, const clang::ASTContext& context) {
  clang::Expr::EvalResult number;
  if (!index.getType()->isIntegerType() || index.isValueDependent() ||
      !index.EvaluateAsInt(number, context))
    return Device::unknown();
  return Device::cuda(static_cast<std::int32_t>(number.Val.getInt().getExtValue()));
}

}  // namespace

std::optional<Device> written_device(const clang::Expr* expr, const clang::ASTContext& context,
                                     Types& types) {
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
      if (const std::optional<Device> known = constant_device(arguments, context, types))
        return known;
      expr = arguments.empty() ? nullptr : arguments.front();
    } else {
      clang::Expr::EvalResult result;
      const auto* enumeration = expr->getType()->getAs<clang::EnumType>();
      if (enumeration == nullptr || types.of(expr->getType()).role != Role::kDevice ||
          !expr->EvaluateAsInt(result, context))
        return std::nullopt;
      const Device named = enumerated_device(*enumeration, result.Val.getInt(), types.models());
      return named.is_known() ? std::optional<Device>(named) : std::nullopt;
    }
  }
  return std::nullopt;
}

ValueId Reader::device_value(const clang::Expr& at, Device device) {
  if (device.kind != DeviceKind::kUnknown) return make(fact::DeviceIs{device}, &at);
  return make(fact::Fresh{ValueType::of(Role::kDevice)}, &at);
}

void Reader::read_device_construct(const clang::CXXConstructExpr& expr) {
  llvm::SmallVector<const clang::Expr*, 2> arguments(expr.arg_begin(), expr.arg_end());
  const std::optional<Device> known = constant_device(arguments, context_, types_);
  const clang::Expr* first = arguments.empty() ? nullptr : strip(arguments.front());
  const bool of_device = first != nullptr && types_.of(first->getType()).role == Role::kDevice;
  if (!known && of_device) return pass(expr, arguments.front());
  // `Device(name)`, `Device(kCUDA, rank)`: whoever starts the program says which.
  const bool from_text = first != nullptr && is_text(first->getType(), types_);
  const bool open = known && known->kind == DeviceKind::kUnknown && (of_device || from_text);
  const ValueId kind = open && of_device ? value_of(arguments.front()) : ValueId();
  values_[&expr] = device_value(expr, known.value_or(Device::unknown()));
  if (!open) return;
  auto& chosen = std::get<fact::Fresh>(block_->facts.back().what);
  chosen.known = Known::kDeviceChoice;
  chosen.kind = kind;  // `Device(kind, 0)` is the CPU when `kind` is
}

/// The current CUDA device is the one that the first argument says: a device, or the index of one.
void Reader::set_current(const clang::Expr& at, llvm::ArrayRef<const clang::Expr*> arguments,
                         VariableId guard) {
  const bool given = !arguments.empty() && !llvm::isa<clang::CXXDefaultArgExpr>(arguments.front());
  ValueId device;
  if (given) {
    const clang::Expr& first = *arguments.front();
    if (types_.of(first.getType()).role == Role::kDevice) device = value_of(&first);
    if (!device) device = device_value(at, indexed_device(first, context_));
  }
  emit(fact::SetCurrent{device, guard}, &at);
}

/// `CUDAGuard guard(1);`
void Reader::read_device_guard(const clang::VarDecl& decl) {
  const VariableId id = variable(decl);
  facts_.variables[id].guards_current = true;
  const clang::Expr* init = strip(decl.getInit());
  llvm::SmallVector<const clang::Expr*, 2> arguments;
  if (const auto* construct = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(init))
    arguments.append(construct->arg_begin(), construct->arg_end());
  if (init != nullptr) set_current(*init, arguments, id);
}

/// Options and devices made from texts and indices get their device as an argument's value.
void Reader::resolve_device_arguments(const clang::Expr& expr,
                                      llvm::ArrayRef<const clang::Expr*> arguments, Call& call) {
  if (call.arguments.empty()) return;
  const std::optional<Device> known =
      call.arguments.front().role == Role::kNone && arguments.front()->getType()->isIntegerType()
          ? indexed_device(*arguments.front(), context_)
          : constant_device(arguments, context_, types_);
  if (!known) return;
  call.arguments.front().value = device_value(expr, *known);
  call.arguments.front().role = Role::kDevice;
}

}  // namespace xfer::analyzer
