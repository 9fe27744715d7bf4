// Devices that calls and constructors make or set.

#include "analyzer/facts/reader.h"
#include "analyzer/facts/references.h"

namespace xfer::analyzer {
namespace {

/// The variable, or the field of the own object, that a text is or is copied from; null: neither.
const clang::ValueDecl* name_of_text(const clang::Expr& text) {
  const clang::Expr* bare = strip(&text);
  while (const auto* copy = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(bare))
    bare = copy->getNumArgs() == 1 ? strip(copy->getArg(0)) : nullptr;
  return bare == nullptr ? nullptr : variable_or_field(*bare);
}

}  // namespace

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
  if (open && from_text)
    if (const ValueId named = text_device(expr, *first)) {
      values_[&expr] = named;
      return;
    }
  ValueId kind = open && of_device ? value_of(arguments.front()) : ValueId();
  if (open && from_text && names_some_cuda(*first, types_))
    kind = device_value(expr, Device::cuda(Device::kCurrent));
  values_[&expr] = device_value(expr, known.value_or(Device::unknown()));
  if (!open) return;
  auto& chosen = std::get<fact::Fresh>(block_->facts.back().what);
  chosen.known = Known::kDeviceChoice;
  chosen.kind = kind;  // `Device(kind, 0)` is the CPU when `kind` is
}

/// `std::string device;`: what is made of one text is one device, as long as the function lets the
/// text be. None: it is no name, or may change.
ValueId Reader::text_device(const clang::Expr& at, const clang::Expr& text) {
  const clang::ValueDecl* named = name_of_text(text);
  const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(named);
  if (named == nullptr || (variable != nullptr && !variable->hasLocalStorage()) ||
      !left_alone(*named, function_, types_))
    return {};
  if (variable != nullptr && variable->getInit() != nullptr &&
      !llvm::isa<clang::ParmVarDecl>(variable)) {
    const std::optional<Device> written = constant_device({variable->getInit()}, context_, types_);
    if (written && written->kind != DeviceKind::kUnknown) return device_value(at, *written);
  }
  const auto [known, added] = text_devices_.try_emplace(named);
  if (added) {
    Variable device;
    device.name = named->getNameAsString();
    device.type = ValueType::of(Role::kDevice);
    device.may_be_cuda = true;
    known->second = add_variable(std::move(device), nullptr);
  }
  return make(fact::Load{place(known->second, {})}, &at);
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
  const bool named =
      known->kind == DeviceKind::kUnknown && is_text(arguments.front()->getType(), types_);
  const ValueId text = named ? text_device(expr, *arguments.front()) : ValueId();
  call.arguments.front().value = text ? text : device_value(expr, *known);
  call.arguments.front().role = Role::kDevice;
}

}  // namespace xfer::analyzer
