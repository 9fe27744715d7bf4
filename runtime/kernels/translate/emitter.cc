#include "kernels/translate/emitter.h"

#include <llvm/IR/Constants.h>

#include <bit>

#include "kernels/frame.h"
#include "kernels/matrix/fragment.h"
#include "kernels/translate/fixed_field.h"
#include "kernels/translate/services.h"
#include "kernels/warp/matrix_memory.h"

namespace xfer::kernels {

using ptx::Operand;
using Kind = ptx::Operand::Kind;

Emitter::Emitter(Unit& unit, const Definition& source, const ptx::Body& body,
                 llvm::Function* target)
    : unit_(unit),
      source_(*source.function),
      home_(*source.home),
      body_(body),
      pauses_(pauses_of(body)),
      target_(target),
      ir_(target->getContext()) {
  entry_ = new_block("entry");
  go_on_in(entry_);
  block_ = thread_field(ir_.getPtrTy(), offsetof(Thread, block));
  for (const ptx::Type type : body.registers)
    registers_.push_back(scratch(integer(unsigned{type.bits} * type.lanes)));
  declare_variables();
}

llvm::Type* Emitter::floating(ptx::Type type) {
  if (type.kind == ptx::Type::Kind::kBrain) return ir_.getBFloatTy();
  if (type.bits == 16) return ir_.getHalfTy();
  return type.bits == 32 ? ir_.getFloatTy() : ir_.getDoubleTy();
}

llvm::Value* Emitter::resized(llvm::Value* value, unsigned bits, bool sign) {
  return sign ? ir_.CreateSExtOrTrunc(value, integer(bits))
              : ir_.CreateZExtOrTrunc(value, integer(bits));
}

llvm::Value* Emitter::read(const Operand& operand, unsigned bits, bool sign) {
  if (!operand.part.empty()) throw ptx::Fault(0, "a part of a register");
  switch (operand.kind) {
    case Kind::kRegister: {
      llvm::AllocaInst* place = registers_[operand.reg];
      llvm::Value* value = ir_.CreateLoad(place->getAllocatedType(), place);
      if (operand.component != '\0') throw ptx::Fault(0, "a part of a register");
      if (place->getAllocatedType()->isIntegerTy(1))
        return resized(operand.negated ? ir_.CreateNot(value) : value, bits);
      value = resized(value, bits, sign);
      return operand.negated ? ir_.CreateNeg(value) : value;
    }
    case Kind::kInteger: return constant(bits, operand.bits);
    case Kind::kFloat:
      if (operand.single && bits == 64)
        return constant(64, std::bit_cast<std::uint64_t>(static_cast<double>(
                                std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits)))));
      if (!operand.single && bits == 32)
        return constant(32, std::bit_cast<std::uint32_t>(
                                static_cast<float>(std::bit_cast<double>(operand.bits))));
      return constant(bits, operand.bits);
    case Kind::kSpecial: return resized(special(operand, bits), bits);
    case Kind::kSymbol: {
      llvm::Value* number = symbol(operand.name, 0);
      if (operand.offset != 0)
        number = ir_.CreateAdd(number, constant(64, static_cast<std::uint64_t>(operand.offset)));
      return resized(number, bits);
    }
    case Kind::kVector: {
      // `mov.b64 %rd1, {%r1, %r2}`: the first is the lowest.
      const auto count = static_cast<unsigned>(operand.parts.size());
      const unsigned each = bits / (count == 0 ? 1 : count);
      if (each == 0) break;
      llvm::Value* whole = constant(bits, 0);
      for (unsigned i = 0; i < count; ++i)
        whole = ir_.CreateOr(whole, ir_.CreateShl(resized(read(operand.parts[i], each), bits),
                                                  constant(bits, std::uint64_t{i} * each)));
      return whole;
    }
    default: break;
  }
  throw ptx::Fault(0, "an operand that is not a value");
}

llvm::Value* Emitter::read_float(const Operand& operand, ptx::Type type) {
  Operand positive = operand;
  positive.negated = false;
  llvm::Type* wanted = floating(type);
  if (type.lanes > 1) wanted = llvm::FixedVectorType::get(wanted, type.lanes);
  llvm::Value* value = ir_.CreateBitCast(read(positive, unsigned{type.bits} * type.lanes), wanted);
  return operand.negated ? ir_.CreateFNeg(value) : value;
}

llvm::Value* Emitter::read_predicate(const Operand& operand) {
  if (operand.is(Kind::kInteger)) return ir_.getInt1(operand.bits != 0);
  return read(operand, 1);
}

void Emitter::write(const Operand& operand, llvm::Value* value, bool sign) {
  const unsigned bits = static_cast<unsigned>(value->getType()->getPrimitiveSizeInBits());
  if (!value->getType()->isIntegerTy()) value = ir_.CreateBitCast(value, integer(bits));
  if (operand.is(Kind::kNothing)) return;
  if (operand.is(Kind::kVector)) {
    const auto count = static_cast<unsigned>(operand.parts.size());
    const unsigned each = bits / (count == 0 ? 1 : count);
    for (unsigned i = 0; i < count && each > 0; ++i)
      write(operand.parts[i],
            resized(ir_.CreateLShr(value, constant(bits, std::uint64_t{i} * each)), each));
    return;
  }
  if (!operand.is(Kind::kRegister) || !operand.part.empty())
    throw ptx::Fault(0, "a result that is not a register");
  llvm::AllocaInst* place = registers_[operand.reg];
  ir_.CreateStore(resized(value, place->getAllocatedType()->getIntegerBitWidth(), sign), place);
}

llvm::Value* Emitter::block_field(llvm::Type* type, std::size_t offset) {
  return fixed_field(ir_, block_, offset, type);
}

llvm::Value* Emitter::thread_field(llvm::Type* type, std::size_t offset) {
  return fixed_field(ir_, thread(), offset, type);
}

llvm::AllocaInst* Emitter::scratch(llvm::Type* type, unsigned alignment) {
  llvm::IRBuilder<> first(entry_, entry_->begin());
  auto* place = first.CreateAlloca(type);
  if (place->getAlign() < alignment) place->setAlignment(llvm::Align(alignment));
  return place;
}

llvm::AllocaInst* Emitter::carry() {
  if (carry_ == nullptr) carry_ = scratch(integer(1));
  return carry_;
}

llvm::AllocaInst* Emitter::matrix_registers() {
  if (matrix_registers_ == nullptr) {
    matrix_registers_ = scratch(llvm::ArrayType::get(ir_.getInt8Ty(), sizeof(matrix::Registers)));
    mark_matrix_memory(*matrix_registers_);
  }
  return matrix_registers_;
}

llvm::BasicBlock* Emitter::new_block(const char* name) {
  return llvm::BasicBlock::Create(target_->getContext(), name, target_);
}

llvm::Value* Emitter::service(std::size_t offset, llvm::Type* result,
                              std::vector<llvm::Value*> arguments) {
  arguments.insert(arguments.begin(), thread());
  std::vector<llvm::Type*> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  llvm::Function* function =
      service_function(unit_.target(), offset, llvm::FunctionType::get(result, types, false));
  return ir_.CreateCall(function, arguments);
}

llvm::Value* Emitter::waiting_service(std::size_t offset, llvm::Type* result,
                                      std::vector<llvm::Value*> arguments) {
  unit_.note_wait();
  return service(offset, result, std::move(arguments));
}

llvm::Value* Emitter::call(const char* name, llvm::Type* result,
                           std::vector<llvm::Value*> arguments) {
  std::vector<llvm::Type*> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  llvm::FunctionCallee callee =
      unit_.target().getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setWillReturn();
  // Without addresses, what it gives follows from what it takes.
  if (llvm::none_of(types, [](llvm::Type* type) { return type->isPointerTy(); }))
    function->setDoesNotAccessMemory();
  return ir_.CreateCall(callee, arguments);
}

}  // namespace xfer::kernels
