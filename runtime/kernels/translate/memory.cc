// Loads, stores, copies and the order between them.

#include <llvm/IR/Constants.h>

#include <algorithm>
#include <bit>

#include "kernels/translate/fixed_field.h"
#include "kernels/translate/instructions.h"

namespace xfer::kernels {
namespace {

/// How other threads see an access.
struct Order {
  bool is_volatile = false;
  llvm::AtomicOrdering atomic = llvm::AtomicOrdering::NotAtomic;
};

Order order_of(const Form& form) {
  Order order;
  order.is_volatile = form.has("volatile") || form.has("mmio");
  if (form.has("relaxed") || form.has("mmio")) order.atomic = llvm::AtomicOrdering::Monotonic;
  if (form.has("acquire")) order.atomic = llvm::AtomicOrdering::Acquire;
  if (form.has("release")) order.atomic = llvm::AtomicOrdering::Release;
  return order;
}

/// The elements that `{a, b}` names, or the operand itself.
std::vector<ptx::Operand> elements(const Form& form, std::size_t n) {
  const ptx::Operand& operand = form.operand(n);
  if (form.vector() == 1) return {operand};
  if (!operand.is(ptx::Operand::Kind::kVector) || operand.parts.size() != form.vector())
    form.refuse("lacks elements");
  return operand.parts;
}

llvm::Value* element_pointer(Emitter& e, llvm::Value* first, std::size_t n, unsigned bytes) {
  return n == 0 ? first
                : e.ir().CreateConstGEP1_64(e.ir().getInt8Ty(), first, n * std::uint64_t{bytes});
}

unsigned bytes_of(const Form& form) {
  const unsigned bytes = form.type().size();
  if (bytes == 0 || (bytes & (bytes - 1)) != 0 || bytes > 16) form.refuse("cannot be run");
  return bytes;
}

/// cp.async: done at once.
void emit_cp_async(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  const ptx::Operand& size = form.operand(2);
  if (!size.is(ptx::Operand::Kind::kInteger) || size.bits > 16) form.refuse("cannot be run");
  llvm::Value* to = e.pointer(e.address(form, form.operand(0), "shared"), "shared");
  llvm::Value* from = e.pointer(e.address(form, form.operand(1), "global"), "global");
  const llvm::MaybeAlign any(1);
  const bool hint = form.has("L2::cache_hint") && form.operand_count() == 4;
  const auto is_whole = [&](const ptx::Operand& limit) {
    return limit.is(ptx::Operand::Kind::kInteger) && limit.bits >= size.bits;
  };
  if (form.operand_count() < 4 || hint || is_whole(form.operand(3))) {
    ir.CreateMemCpy(to, any, from, any, size.bits);
    return;
  }
  // A size of what there is to copy, or a predicate not to: the rest becomes 0.
  const ptx::Operand& limit = form.operand(3);
  const bool predicate = limit.is(ptx::Operand::Kind::kRegister) &&
                         e.body().registers[limit.reg].kind == ptx::Type::Kind::kPredicate;
  llvm::Value* bytes = predicate ? ir.CreateSelect(e.read_predicate(limit), e.constant(32, 0),
                                                   e.constant(32, size.bits))
                                 : e.read(limit, 32);
  e.call("xfer_copy_padded", ir.getVoidTy(), {to, from, bytes, e.constant(32, size.bits)});
}

/// It never changes while the kernel runs. The results of its calls lie in .param, and are written.
bool is_fixed(Emitter& e, const Form& form) {
  if (form.has("nc")) return true;
  if (form.space() != "param" || !e.source().kernel) return false;
  const ptx::Operand& address = form.operand(1);
  if (address.parts.empty() || !address.parts[0].is(ptx::Operand::Kind::kSymbol)) return true;
  const auto& of_kernel = e.source().parameters;
  return std::ranges::find(of_kernel, address.parts[0].name, &ptx::Variable::name) !=
         of_kernel.end();
}

}  // namespace

/// Of the stack, until the function returns or restores it. So much that no stack has it traps.
void emit_alloca(Emitter& e, const Form& form) {
  constexpr std::uint64_t kDefault = 8;
  const std::uint64_t alignment = form.operand_count() > 2 ? form.operand(2).bits : kDefault;
  if (!std::has_single_bit(alignment) || alignment > 1 << 16)
    form.refuse("has an alignment that does not exist");
  constexpr std::uint64_t kMost = 64 << 10;
  llvm::Value* bytes = e.read(form.operand(1), form.type().bits);
  e.trap_if(e.ir().CreateICmpUGT(bytes, e.constant(form.type().bits, kMost)));
  auto* memory = e.ir().CreateAlloca(e.ir().getInt8Ty(), bytes);
  memory->setAlignment(llvm::Align(alignment));
  e.write(form.operand(0), e.ir().CreatePtrToInt(memory, e.integer(64)));
}

void emit_stacksave(Emitter& e, const Form& form) {
  e.write(form.operand(0), e.ir().CreatePtrToInt(e.ir().CreateStackSave(), e.integer(64)));
}

void emit_stackrestore(Emitter& e, const Form& form) {
  e.ir().CreateStackRestore(e.ir().CreateIntToPtr(e.read(form.operand(0), 64), e.ir().getPtrTy()));
}

void emit_ld(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  const unsigned bytes = bytes_of(form);
  const Order order = order_of(form);
  llvm::Value* from = e.pointer_of(form, 1);
  const std::vector<ptx::Operand> to = elements(form, 0);
  std::vector<llvm::Value*> values;
  for (std::size_t i = 0; i < to.size(); ++i) {
    auto* load = ir.CreateAlignedLoad(e.integer(bytes * 8), element_pointer(e, from, i, bytes),
                                      llvm::Align(bytes), order.is_volatile);
    if (order.atomic != llvm::AtomicOrdering::NotAtomic && bytes <= 8)
      load->setAtomic(order.atomic);
    if (is_fixed(e, form)) fixed(load);
    values.push_back(load);
  }
  for (std::size_t i = 0; i < to.size(); ++i) e.write(to[i], values[i], is_signed(form.type()));
}

void emit_st(Emitter& e, const Form& form) {
  if (form.has("async") || form.has("bulk")) form.refuse("cannot be run");
  const unsigned bytes = bytes_of(form);
  const Order order = order_of(form);
  llvm::Value* to = e.pointer_of(form, 0);
  const std::vector<ptx::Operand> from = elements(form, 1);
  for (std::size_t i = 0; i < from.size(); ++i) {
    auto* store =
        e.ir().CreateAlignedStore(e.read(from[i], bytes * 8), element_pointer(e, to, i, bytes),
                                  llvm::Align(bytes), order.is_volatile);
    if (order.atomic != llvm::AtomicOrdering::NotAtomic && bytes <= 8)
      store->setAtomic(order.atomic);
  }
}

void emit_cp(Emitter& e, const Form& form) {
  if (!form.has("async") || form.has("bulk") || form.has("tensor") || form.has("reduce"))
    form.refuse("cannot be run");
  if (form.has("commit_group") || form.has("wait_group") || form.has("wait_all")) return;
  for (const std::string_view of_barrier : {"mbarrier::arrive", "arrive", "mbarrier"})
    if (form.has(of_barrier)) form.refuse("cannot be run");
  emit_cp_async(e, form);
}

void emit_fence(Emitter& e, const Form& form) {
  if (!form.has("proxy")) e.ir().CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
}

/// Hints, and marks for tools.
void emit_nothing(Emitter&, const Form&) {}

}  // namespace xfer::kernels
