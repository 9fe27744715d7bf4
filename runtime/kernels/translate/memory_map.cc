// The places of a function's variables and parameters, and of addresses.

#include <llvm/IR/Constants.h>

#include <algorithm>

#include "kernels/frame.h"
#include "kernels/layout.h"
#include "kernels/translate/emitter.h"
#include "kernels/translate/fixed_field.h"
#include "kernels/translate/services.h"

namespace xfer::kernels {
namespace {

/// A kernel's large arrays do not go onto the stack, which other threads' waiting makes scarce.
constexpr std::uint64_t kLargestOnStack = 1024;

}  // namespace

void Emitter::declare_variables() {
  llvm::Type* byte = ir_.getInt8Ty();
  if (source_.kernel) {
    llvm::Value* parameters = block_field(ir_.getPtrTy(), offsetof(Block, parameters));
    const Layout layout = layout_of(source_.parameters);
    for (std::size_t i = 0; i < source_.parameters.size(); ++i)
      memory_[source_.parameters[i].name] =
          ir_.CreateConstGEP1_64(byte, parameters, layout.offsets[i]);
  } else {
    unsigned next = 1;
    for (const ptx::Variable& parameter : source_.parameters)
      memory_[parameter.name] = target_->getArg(next++);
    for (const ptx::Variable& result : source_.results)
      memory_[result.name] = target_->getArg(next++);
  }
  for (const ptx::Variable& variable : body_.variables) {
    switch (variable.space) {
      case ptx::Space::kShared:
        numbers_[variable.name] = variable.external && variable.size == 0
                                      ? dynamic_shared()
                                      : constant(64, unit_.place_shared(variable));
        break;
      case ptx::Space::kLocal:
        if (source_.kernel && variable.size > kLargestOnStack) {
          llvm::Value* local = thread_field(ir_.getPtrTy(), offsetof(Thread, local));
          numbers_[variable.name] = ir_.CreatePtrToInt(
              ir_.CreateConstGEP1_64(byte, local, unit_.place_local(variable)), integer(64));
        } else {
          numbers_[variable.name] = ir_.CreatePtrToInt(
              scratch(llvm::ArrayType::get(byte, variable.size), variable.alignment), integer(64));
        }
        break;
      case ptx::Space::kParam: declare_parameter(variable); break;
      default: break;  // of the module, declared here
    }
  }
}

/// Of a call. Each call has names of its own between its braces, most the same as others': memory
/// for the largest of a name serves all.
void Emitter::declare_parameter(const ptx::Variable& variable) {
  std::uint64_t bytes = 0;
  unsigned alignment = 1;
  if (memory_.contains(variable.name)) return;
  for (const ptx::Variable& other : body_.variables) {
    if (other.name != variable.name || other.space != ptx::Space::kParam) continue;
    bytes = std::max(bytes, other.size);
    alignment = std::max(alignment, other.alignment);
  }
  memory_[variable.name] = scratch(llvm::ArrayType::get(ir_.getInt8Ty(), bytes), alignment);
}

/// Where dynamic shared memory begins: behind the static one.
llvm::Value* Emitter::dynamic_shared() {
  llvm::Value* all = block_field(integer(32), offsetof(Block, shared_bytes));
  llvm::Value* dynamic = block_field(integer(32), offsetof(Block, dynamic_shared_bytes));
  return resized(ir_.CreateSub(all, dynamic), 64);
}

llvm::Value* Emitter::parameter(std::string_view name) {
  const auto found = memory_.find(name);
  return found == memory_.end() ? nullptr : found->second;
}

/// Of one that no function declares.
llvm::Value* Emitter::address_of(const ptx::Variable& variable) {
  if (variable.space == ptx::Space::kShared) {
    const std::uint64_t offset = unit_.offset_in_shared(variable);
    return offset == Unit::kDynamic ? dynamic_shared() : constant(64, offset);
  }
  llvm::Value* table = block_field(ir_.getPtrTy(), offsetof(Block, variables));
  return fixed_field(ir_, table, unit_.place_on_device(variable) * sizeof(std::uintptr_t),
                     integer(64));
}

llvm::Value* Emitter::symbol(std::string_view name, unsigned line) {
  if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
  if (llvm::Value* place = parameter(name)) return ir_.CreatePtrToInt(place, integer(64));
  if (const ptx::Variable* variable = unit_.source().variable(home_, name))
    return address_of(*variable);
  if (const std::uint64_t number = unit_.source().number_of_function(home_, name))
    return constant(64, number);
  throw ptx::Fault(line, "no module of the program defines `" + std::string(name) + "`");
}

llvm::Value* Emitter::address(const Form& form, const ptx::Operand& operand,
                              std::string_view space) {
  if (!operand.is(ptx::Operand::Kind::kAddress) || operand.parts.empty())
    form.refuse("lacks an address");
  const ptx::Operand& base = operand.parts[0];
  llvm::Value* number = nullptr;
  if (base.is(ptx::Operand::Kind::kSymbol)) {
    number = symbol(base.name, form.instruction().line);
  } else {
    number = read(base, 64);
  }
  if (operand.offset != 0)
    number = ir_.CreateAdd(number, constant(64, static_cast<std::uint64_t>(operand.offset)));
  // In 32 bits an offset wraps.
  if (space == "shared") number = resized(resized(number, 32), 64);
  return number;
}

llvm::Value* Emitter::pointer_of(const Form& form, std::size_t n) {
  const ptx::Operand& operand = form.operand(n);
  if (operand.is(ptx::Operand::Kind::kAddress) && !operand.parts.empty() &&
      operand.parts[0].is(ptx::Operand::Kind::kSymbol))
    if (llvm::Value* memory = parameter(operand.parts[0].name))
      return ir_.CreateConstGEP1_64(ir_.getInt8Ty(), memory,
                                    static_cast<std::uint64_t>(operand.offset));
  return pointer(address(form, operand, form.space()), form.space());
}

llvm::Value* Emitter::pointer(llvm::Value* address, std::string_view space) {
  if (space == "shared")
    return ir_.CreateGEP(ir_.getInt8Ty(), block_field(ir_.getPtrTy(), offsetof(Block, shared)),
                         address);
  if (space == "global" || space == "const" || space.empty())
    return ir_.CreateCall(reach_function(unit_.target()), {thread(), address});
  return ir_.CreateIntToPtr(address, ir_.getPtrTy());
}

}  // namespace xfer::kernels
