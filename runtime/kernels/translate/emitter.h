#pragma once
// Writes the LLVM function of one PTX function. Registers are integers of their width in memory of
// their own, which LLVM turns into values; predicates are i1.

#include <llvm/IR/IRBuilder.h>

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/translate/form.h"
#include "kernels/translate/pauses.h"
#include "kernels/translate/unit.h"
#include "ptx/module.h"

namespace xfer::kernels {

class Emitter {
 public:
  Emitter(Unit& unit, const Definition& source, const ptx::Body& body, llvm::Function* target);

  /// Writes the whole function. Throws ptx::Fault.
  void run();

  Unit& unit() { return unit_; }
  const ptx::Function& source() const { return source_; }
  /// The module whose names the code uses.
  const ptx::Module& home() const { return home_; }
  const ptx::Body& body() const { return body_; }
  llvm::IRBuilder<>& ir() { return ir_; }
  llvm::Value* thread() { return target_->getArg(0); }
  llvm::Value* block() { return block_; }

  // Types and constants.
  llvm::IntegerType* integer(unsigned bits) { return ir_.getIntNTy(bits); }
  llvm::Type* floating(ptx::Type type);  ///< of one lane
  llvm::Value* constant(unsigned bits, std::uint64_t value) {
    return llvm::ConstantInt::get(integer(bits), llvm::APInt(bits, value, false, true));
  }
  llvm::Value* constant_like(llvm::Value* model, double value) {
    return llvm::ConstantFP::get(model->getType(), value);
  }

  // Operands. Integers come in as many bits as are asked for.
  llvm::Value* read(const ptx::Operand& operand, unsigned bits, bool sign = false);
  llvm::Value* read(const Form& form, std::size_t n, ptx::Type type) {
    return read(form.operand(n), unsigned{type.bits} * type.lanes, is_signed(type));
  }
  /// As a float, or as a vector of two of them.
  llvm::Value* read_float(const ptx::Operand& operand, ptx::Type type);
  llvm::Value* read_predicate(const ptx::Operand& operand);
  /// Any integer, float or predicate into a register, whatever its width; into `_`: nowhere.
  void write(const ptx::Operand& operand, llvm::Value* value, bool sign = false);
  llvm::Value* resized(llvm::Value* value, unsigned bits, bool sign = false);

  // Memory.
  /// The number that the operand `[base+offset]` stands for in that space.
  llvm::Value* address(const Form& form, const ptx::Operand& operand, std::string_view space);
  /// Where that number of that space is in this process.
  llvm::Value* pointer(llvm::Value* address, std::string_view space);
  llvm::Value* pointer_of(const Form& form, std::size_t n);
  /// The number of a variable, parameter or function.
  llvm::Value* symbol(std::string_view name, unsigned line);
  /// The memory of a parameter; null: of that name there is none.
  llvm::Value* parameter(std::string_view name);
  llvm::Value* block_field(llvm::Type* type, std::size_t offset);
  llvm::Value* thread_field(llvm::Type* type, std::size_t offset);
  llvm::AllocaInst* scratch(llvm::Type* type, unsigned alignment = 16);

  // Calls of what the block's Services have, by its offset there.
  llvm::Value* service(std::size_t offset, llvm::Type* result, std::vector<llvm::Value*> arguments);
  /// As `service`, of one that may let other threads run.
  llvm::Value* waiting_service(std::size_t offset, llvm::Type* result,
                               std::vector<llvm::Value*> arguments);
  /// A function of the C library or of this one.
  llvm::Value* call(const char* name, llvm::Type* result, std::vector<llvm::Value*> arguments);

  /// The carry flag.
  llvm::AllocaInst* carry();
  /// matrix::Registers.
  llvm::AllocaInst* matrix_registers();

  /// Ends the grid, or goes on.
  void trap_if(llvm::Value* wrong);
  /// Behind a call of a function, which said whether the thread has ended in it.
  void go_on_unless(llvm::Value* ended);

  llvm::BasicBlock* new_block(const char* name = "");
  void go_on_in(llvm::BasicBlock* block) { ir_.SetInsertPoint(block); }

 private:
  void declare_variables();
  void declare_parameter(const ptx::Variable& variable);
  llvm::Value* dynamic_shared();
  llvm::Value* address_of(const ptx::Variable& variable);
  void emit_instructions();
  void emit_branch(const ptx::Instruction& instruction, std::size_t index);
  void emit_guarded(const ptx::Instruction& instruction);
  void emit_end(const ptx::Instruction& instruction, std::size_t index);
  void emit_return(bool ended);
  void pause();
  void emit_turn(std::size_t index, std::size_t target);
  void begin_counting();
  void count_turn(std::size_t index, std::size_t target);
  llvm::BasicBlock* block_at(std::size_t index);
  std::size_t label(const ptx::Instruction& instruction, std::string_view name) const;
  llvm::Value* special(const ptx::Operand& operand, unsigned bits);

  Unit& unit_;
  const ptx::Function& source_;
  const ptx::Module& home_;
  const ptx::Body& body_;
  const Pauses pauses_;
  llvm::Function* target_;
  llvm::IRBuilder<> ir_;
  llvm::BasicBlock* entry_ = nullptr;
  llvm::Value* block_ = nullptr;
  llvm::AllocaInst* carry_ = nullptr;
  llvm::AllocaInst* matrix_registers_ = nullptr;
  llvm::AllocaInst* turned_ = nullptr;  ///< as Thread::turned; null: nothing is counted
  std::vector<llvm::AllocaInst*> registers_;
  std::map<std::string_view, llvm::Value*> numbers_;  ///< of variables of the function
  std::map<std::string_view, llvm::Value*> memory_;   ///< of parameters
  std::map<std::size_t, llvm::BasicBlock*> blocks_;   ///< by the instruction that begins them
};

/// Writes one instruction; null: none of that name can be run.
using Emit = void (*)(Emitter&, const Form&);
Emit emit_of(std::string_view operation);

}  // namespace xfer::kernels
