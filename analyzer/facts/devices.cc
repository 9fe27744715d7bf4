// Devices that calls and constructors make or set.

#include "analyzer/facts/reader.h"

namespace xfer::analyzer {

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
