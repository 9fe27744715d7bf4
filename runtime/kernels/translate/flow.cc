// The order in which a function's instructions run.

#include <algorithm>
#include <set>
#include <vector>

#include "kernels/control_flow.h"
#include "kernels/frame.h"
#include "kernels/translate/emitter.h"
#include "kernels/translate/telling.h"
#include "kernels/translate/waiting.h"

namespace xfer::kernels {
namespace {

using ptx::Instruction;

}  // namespace

void Emitter::run() {
  if (source_.kernel && unit_.counts_turns()) begin_counting();
  emit_instructions();
  // Blocks that only a label of dead code names.
  for (llvm::BasicBlock& block : *target_)
    if (block.getTerminator() == nullptr) {
      ir_.SetInsertPoint(&block);
      ir_.CreateUnreachable();
    }
}

std::size_t Emitter::label(const Instruction& instruction, std::string_view name) const {
  const auto found = body_.labels.find(name);
  if (found == body_.labels.end())
    refuse(instruction, "goes to `" + std::string(name) + "`, which is not a label here");
  return found->second;
}

llvm::BasicBlock* Emitter::block_at(std::size_t index) {
  llvm::BasicBlock*& block = blocks_[index];
  if (block == nullptr) block = new_block();
  return block;
}

void Emitter::emit_instructions() {
  const std::vector<Instruction>& instructions = body_.instructions;
  std::set<std::size_t> leaders;
  for (const auto& [name, index] : body_.labels) leaders.insert(index);
  for (std::size_t i = 0; i < instructions.size(); ++i)
    if (instructions[i].branches() || instructions[i].returns()) leaders.insert(i + 1);
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    if (leaders.contains(i)) {
      if (ir_.GetInsertBlock()->getTerminator() == nullptr) {
        if (pauses_.before_loops.contains(i)) pause();
        ir_.CreateBr(block_at(i));
      }
      go_on_in(block_at(i));
    }
    Lines::set_line(ir_, instructions[i].line);
    if (tells_others(instructions[i])) unit_.note_telling();
    if (pauses_.before.contains(i)) pause();
    if (instructions[i].branches() || instructions[i].returns())
      emit_end(instructions[i], i);
    else
      emit_guarded(instructions[i]);
  }
  // A function may end without `ret`.
  if (leaders.contains(instructions.size())) {
    if (ir_.GetInsertBlock()->getTerminator() == nullptr)
      ir_.CreateBr(block_at(instructions.size()));
    go_on_in(block_at(instructions.size()));
  }
  if (ir_.GetInsertBlock()->getTerminator() == nullptr) emit_return(false);
}

void Emitter::pause() { waiting_service(offsetof(Services, pause), ir_.getVoidTy(), {}); }

void Emitter::emit_guarded(const Instruction& instruction) {
  const Emit emit = emit_of(instruction.operation);
  if (emit == nullptr) refuse(instruction, "cannot be run");
  try {
    if (!instruction.guard) return emit(*this, Form(instruction));
    llvm::BasicBlock* then = new_block();
    llvm::BasicBlock* after = new_block();
    ir_.CreateCondBr(read_predicate(*instruction.guard), then, after);
    go_on_in(then);
    emit(*this, Form(instruction));
    if (ir_.GetInsertBlock()->getTerminator() == nullptr) ir_.CreateBr(after);
    go_on_in(after);
  } catch (const ptx::Fault& fault) {
    if (fault.line() != 0) throw;
    refuse(instruction, std::string("has ") + fault.what());
  }
}

void Emitter::emit_end(const Instruction& instruction, std::size_t index) {
  llvm::BasicBlock* after = block_at(index + 1);
  if (instruction.guard) {
    llvm::BasicBlock* taken = new_block();
    ir_.CreateCondBr(read_predicate(*instruction.guard), taken, after);
    go_on_in(taken);
  }
  if (instruction.returns()) {
    emit_return(instruction.operation == "exit");
  } else {
    emit_branch(instruction, index);
  }
}

/// `ended`: the whole thread, not this function alone.
void Emitter::emit_return(bool ended) {
  if (!source_.kernel) {
    ir_.CreateRet(ir_.getInt1(ended));
    return;
  }
  if (turned_ != nullptr) {
    llvm::Value* all =
        ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), thread(), offsetof(Thread, turned));
    llvm::Value* before = ir_.CreateLoad(ir_.getInt64Ty(), all);
    ir_.CreateStore(ir_.CreateAdd(before, ir_.CreateLoad(ir_.getInt64Ty(), turned_)), all);
  }
  ir_.CreateRetVoid();
}

void Emitter::trap_if(llvm::Value* wrong) {
  llvm::BasicBlock* trap = new_block("trap");
  llvm::BasicBlock* on = new_block();
  ir_.CreateCondBr(wrong, trap, on);
  go_on_in(trap);
  waiting_service(offsetof(Services, trap), ir_.getVoidTy(), {});
  ir_.CreateUnreachable();
  go_on_in(on);
}

void Emitter::go_on_unless(llvm::Value* ended) {
  llvm::BasicBlock* end = new_block();
  llvm::BasicBlock* on = new_block();
  ir_.CreateCondBr(ended, end, on);
  go_on_in(end);
  emit_return(true);
  go_on_in(on);
}

void Emitter::emit_branch(const Instruction& instruction, std::size_t index) {
  const Form form(instruction);
  if (instruction.operation == "bra") {
    const std::size_t target = label(instruction, form.operand(0).name);
    emit_turn(index, target);
    count_turn(index, target);
    if (target > index && pauses_.before_loops.contains(target)) pause();
    ir_.CreateBr(block_at(target));
    return;
  }
  const auto targets = body_.targets.find(form.operand(1).name);
  if (targets == body_.targets.end() || targets->second.empty())
    form.refuse("does not name a list of targets");
  llvm::Value* number = read(form.operand(0), 32);
  auto* choice = ir_.CreateSwitch(number, block_at(label(instruction, targets->second.back())));
  for (std::size_t i = 0; i + 1 < targets->second.size(); ++i)
    choice->addCase(ir_.getInt32(static_cast<std::uint32_t>(i)),
                    block_at(label(instruction, targets->second[i])));
}

/// Behind a loop's last turn, if it may wait for what others do: lets them, now and then.
void Emitter::emit_turn(std::size_t index, std::size_t target) {
  if (target > index || !loop_waits(body_, target, index, unit_.source(), home_)) return;
  unit_.note_wait();
  ir_.CreateCall(turn_function(unit_.target()), {thread()});
}

/// A value of its own, so that LLVM knows it where it knows the turns.
void Emitter::begin_counting() {
  bool has_loop = false;
  each_loop(body_, [&](std::size_t, std::size_t) { has_loop = true; });
  if (!has_loop) return;
  turned_ = scratch(ir_.getInt64Ty());
  ir_.CreateStore(ir_.getInt64(0), turned_);
}

/// Behind a loop's last turn.
void Emitter::count_turn(std::size_t index, std::size_t target) {
  if (target > index || turned_ == nullptr) return;
  llvm::Value* before = ir_.CreateLoad(ir_.getInt64Ty(), turned_);
  ir_.CreateStore(ir_.CreateAdd(before, ir_.getInt64(index - target + 1)), turned_);
}

}  // namespace xfer::kernels
