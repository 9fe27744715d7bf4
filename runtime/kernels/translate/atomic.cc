// atom and red: a read, a change and a write that nothing comes between.

#include <llvm/IR/Constants.h>

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/translate/floating.h"
#include "kernels/translate/instructions.h"

namespace xfer::kernels {
namespace {

using Operation = llvm::AtomicRMWInst::BinOp;

constexpr auto kOrder = llvm::AtomicOrdering::SequentiallyConsistent;

Operation operation_of(const Form& form) {
  const ptx::Type type = form.type();
  if (is_float(type)) {
    if (form.has("add")) return Operation::FAdd;
    if (form.has("min")) return Operation::FMin;
    if (form.has("max")) return Operation::FMax;
  } else {
    if (form.has("add")) return Operation::Add;
    if (form.has("and")) return Operation::And;
    if (form.has("or")) return Operation::Or;
    if (form.has("xor")) return Operation::Xor;
    if (form.has("exch")) return Operation::Xchg;
    if (form.has("min")) return is_signed(type) ? Operation::Min : Operation::UMin;
    if (form.has("max")) return is_signed(type) ? Operation::Max : Operation::UMax;
    if (form.has("inc")) return Operation::UIncWrap;
    if (form.has("dec")) return Operation::UDecWrap;
  }
  form.refuse("cannot be run");
}

/// Threads of a block run on one thread of the host: lower_block_atomics() makes plain accesses of
/// those in shared memory.
llvm::SyncScope::ID scope_of(const Form& form) {
  return form.space() == "shared" ? llvm::SyncScope::SingleThread : llvm::SyncScope::System;
}

/// The new value of a float in memory.
llvm::Value* changed(Emitter& e, Operation operation, llvm::Value* old, llvm::Value* by) {
  auto& ir = e.ir();
  if (operation == Operation::FAdd) return ir.CreateFAdd(old, by);
  return operation == Operation::FMin ? ir.CreateMinNum(old, by) : ir.CreateMaxNum(old, by);
}

/// Of floats of 16 bits. LLVM's own loop compares what it has made an f32 and back, which some CPUs
/// change: it would never end.
llvm::Value* exchanged_half(Emitter& e, const Form& form, llvm::Value* at,
                            const ptx::Operand& operand) {
  auto& ir = e.ir();
  const ptx::Type type = form.type();
  const bool brain = type.kind == ptx::Type::Kind::kBrain;
  llvm::Value* by = e.read_float(operand, type);
  llvm::Type* lanes = by->getType();
  llvm::IntegerType* whole = e.integer(unsigned{type.bits} * type.lanes);
  const llvm::Align alignment(whole->getBitWidth() / 8);
  if (brain) by = from_brain(e, by);
  const auto change = [&](llvm::Value* bits) {
    llvm::Value* old = ir.CreateBitCast(bits, lanes);
    llvm::Value* value = changed(e, operation_of(form), brain ? from_brain(e, old) : old, by);
    return ir.CreateBitCast(brain ? to_brain(e, value) : value, whole);
  };
  auto* first = ir.CreateAlignedLoad(whole, at, alignment);
  first->setAtomic(llvm::AtomicOrdering::Monotonic);
  llvm::BasicBlock* before = ir.GetInsertBlock();
  llvm::BasicBlock* again = e.new_block();
  llvm::BasicBlock* after = e.new_block();
  ir.CreateBr(again);
  e.go_on_in(again);
  llvm::PHINode* old = ir.CreatePHI(whole, 2);
  old->addIncoming(first, before);
  llvm::Value* both =
      ir.CreateAtomicCmpXchg(at, old, change(old), alignment, kOrder, kOrder, scope_of(form));
  llvm::Value* found = ir.CreateExtractValue(both, 0);
  old->addIncoming(found, again);
  ir.CreateCondBr(ir.CreateExtractValue(both, 1), after, again);
  e.go_on_in(after);
  return found;
}

llvm::Value* exchanged(Emitter& e, const Form& form, llvm::Value* at, const ptx::Operand& value) {
  auto& ir = e.ir();
  const ptx::Type type = form.type();
  if (is_float(type) && type.bits == 16) return exchanged_half(e, form, at, value);
  const Operation operation = operation_of(form);
  const unsigned bits = unsigned{type.bits} * type.lanes;
  llvm::Value* by = is_float(type) ? e.read_float(value, type) : e.read(value, bits);
  return ir.CreateAtomicRMW(operation, at, by, llvm::MaybeAlign(bits / 8), kOrder, scope_of(form));
}

llvm::Value* compared_and_set(Emitter& e, const Form& form, llvm::Value* at) {
  auto& ir = e.ir();
  const unsigned bits = form.type().bits;
  llvm::Value* wanted = e.read(form.operand(2), bits);
  llvm::Value* value = e.read(form.operand(3), bits);
  llvm::Value* both = ir.CreateAtomicCmpXchg(at, wanted, value, llvm::MaybeAlign(bits / 8), kOrder,
                                             kOrder, scope_of(form));
  return ir.CreateExtractValue(both, 0);
}

/// Of `.v2.f32`, each element by itself.
std::vector<llvm::Value*> results(Emitter& e, const Form& form, std::size_t address) {
  llvm::Value* at = e.pointer_of(form, address);
  const ptx::Operand& value = form.operand(address + 1);
  if (form.has("cas")) return {compared_and_set(e, form, at)};
  if (form.vector() == 1) return {exchanged(e, form, at, value)};
  if (value.parts.size() != form.vector()) form.refuse("lacks elements");
  std::vector<llvm::Value*> all;
  for (std::size_t i = 0; i < value.parts.size(); ++i)
    all.push_back(exchanged(
        e, form,
        e.ir().CreateConstGEP1_64(e.ir().getInt8Ty(), at, i * std::uint64_t{form.type().size()}),
        value.parts[i]));
  return all;
}

}  // namespace

void emit_atom(Emitter& e, const Form& form) {
  const std::vector<llvm::Value*> old = results(e, form, 1);
  const ptx::Operand& to = form.operand(0);
  if (old.size() == 1) return e.write(to, old[0], is_signed(form.type()));
  for (std::size_t i = 0; i < old.size() && i < to.parts.size(); ++i) e.write(to.parts[i], old[i]);
}

void emit_red(Emitter& e, const Form& form) {
  if (form.has("async")) form.refuse("cannot be run");
  results(e, form, 0);
}

}  // namespace xfer::kernels
