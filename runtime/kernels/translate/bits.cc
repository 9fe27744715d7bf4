// Logic, shifts, and the counting and moving of bits.

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "kernels/translate/instructions.h"

namespace xfer::kernels {
namespace {

/// A shift by more than the width gives what is left after all bits are out.
llvm::Value* shifted(Emitter& e, llvm::Value* value, llvm::Value* by, bool left, bool sign) {
  auto& ir = e.ir();
  const unsigned bits = value->getType()->getIntegerBitWidth();
  llvm::Value* most = e.constant(32, bits - 1);
  llvm::Value* within = ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, by, most);
  llvm::Value* amount = e.resized(within, bits);
  if (sign) return ir.CreateAShr(value, amount);
  llvm::Value* result = left ? ir.CreateShl(value, amount) : ir.CreateLShr(value, amount);
  return ir.CreateSelect(ir.CreateICmpUGT(by, most), e.constant(bits, 0), result);
}

llvm::Value* operand(Emitter& e, const Form& form, std::size_t n) {
  return e.read(form, n, form.type());
}

/// Ones from `from` on, `count` of them, in 32 bits.
llvm::Value* ones(Emitter& e, llvm::Value* from, llvm::Value* count) {
  auto& ir = e.ir();
  llvm::Value* mask =
      ir.CreateSub(shifted(e, e.constant(64, 1), count, true, false), e.constant(64, 1));
  return e.resized(shifted(e, mask, from, true, false), 32);
}

/// Positions and lengths of bit fields. The ISA says that they have 8 bits; on devices, in fields
/// of 64 bits, they have all.
llvm::Value* small(Emitter& e, const Form& form, std::size_t n) {
  llvm::Value* value = e.read(form.operand(n), 32);
  return form.type().bits == 64 ? value : e.ir().CreateAnd(value, e.constant(32, 255));
}

/// Bytes of two words by their numbers, which are in the nibbles: run by run of bytes that stay
/// beside each other.
llvm::Value* permuted(Emitter& e, llvm::Value* a, llvm::Value* b, std::uint64_t selector) {
  auto& ir = e.ir();
  const auto from = [&](unsigned i) { return static_cast<unsigned>(selector >> (4 * i) & 7); };
  llvm::Value* result = e.constant(32, 0);
  for (unsigned i = 0, end = 0; i < 4; i = end) {
    for (end = i + 1; end < 4 && from(end) == from(end - 1) + 1 && from(end) != 4;) ++end;
    llvm::Value* run = ir.CreateLShr(from(i) < 4 ? a : b, e.constant(32, from(i) % 4 * 8));
    run = ir.CreateAnd(run, e.constant(32, ~std::uint64_t{0} >> (64 - 8 * (end - i))));
    result = ir.CreateOr(result, ir.CreateShl(run, e.constant(32, std::uint64_t{i} * 8)));
  }
  return result;
}

/// As above, of numbers that the program computes; with 8 added, a byte's sign eight times.
llvm::Value* permuted(Emitter& e, llvm::Value* a, llvm::Value* b, llvm::Value* selector) {
  auto& ir = e.ir();
  const auto word = [&](std::uint64_t value) { return e.constant(32, value); };
  const auto has = [&](llvm::Value* number, std::uint64_t bit) {
    return ir.CreateICmpNE(ir.CreateAnd(number, word(bit)), word(0));
  };
  llvm::Value* result = word(0);
  for (std::uint64_t i = 0; i < 4; ++i) {
    llvm::Value* number = ir.CreateLShr(selector, word(4 * i));
    llvm::Value* from = ir.CreateSelect(has(number, 4), b, a);
    llvm::Value* by = ir.CreateShl(ir.CreateAnd(number, word(3)), word(3));
    llvm::Value* byte = ir.CreateAnd(ir.CreateLShr(from, by), word(255));
    llvm::Value* sign = ir.CreateSelect(has(byte, 128), word(255), word(0));
    byte = ir.CreateSelect(has(number, 8), sign, byte);
    result = ir.CreateOr(result, ir.CreateShl(byte, word(8 * i)));
  }
  return result;
}

}  // namespace

void emit_and(Emitter& e, const Form& form) {
  e.write(form.operand(0), e.ir().CreateAnd(operand(e, form, 1), operand(e, form, 2)));
}

void emit_or(Emitter& e, const Form& form) {
  e.write(form.operand(0), e.ir().CreateOr(operand(e, form, 1), operand(e, form, 2)));
}

void emit_xor(Emitter& e, const Form& form) {
  e.write(form.operand(0), e.ir().CreateXor(operand(e, form, 1), operand(e, form, 2)));
}

void emit_not(Emitter& e, const Form& form) {
  e.write(form.operand(0), e.ir().CreateNot(operand(e, form, 1)));
}

void emit_cnot(Emitter& e, const Form& form) {
  const unsigned bits = form.type().bits;
  e.write(form.operand(0),
          e.resized(e.ir().CreateICmpEQ(operand(e, form, 1), e.constant(bits, 0)), bits));
}

void emit_shl(Emitter& e, const Form& form) {
  e.write(form.operand(0),
          shifted(e, operand(e, form, 1), e.read(form.operand(2), 32), true, false));
}

void emit_shr(Emitter& e, const Form& form) {
  const bool sign = is_signed(form.type());
  e.write(form.operand(0),
          shifted(e, operand(e, form, 1), e.read(form.operand(2), 32), false, sign), sign);
}

/// Of two words, the one that a shift of both brings.
void emit_shf(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  llvm::Value* low = e.read(form.operand(1), 32);
  llvm::Value* high = e.read(form.operand(2), 32);
  llvm::Value* by = e.read(form.operand(3), 32);
  by = form.has("clamp") ? ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, by, e.constant(32, 32))
                         : ir.CreateAnd(by, e.constant(32, 31));
  llvm::Value* both =
      ir.CreateOr(ir.CreateShl(e.resized(high, 64), e.constant(64, 32)), e.resized(low, 64));
  llvm::Value* wide = e.resized(by, 64);
  if (form.has("l"))
    e.write(form.operand(0),
            e.resized(ir.CreateLShr(ir.CreateShl(both, wide), e.constant(64, 32)), 32));
  else
    e.write(form.operand(0), e.resized(ir.CreateLShr(both, wide), 32));
}

/// Any function of three bits, by the table in its last operand.
void emit_lop3(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  const ptx::Operand& table = form.operand(4);
  if (!table.is(ptx::Operand::Kind::kInteger)) form.refuse("lacks its table");
  llvm::Value* inputs[3];
  for (std::size_t i = 0; i < 3; ++i) inputs[i] = e.read(form.operand(i + 1), 32);
  llvm::Value* result = e.constant(32, 0);
  for (unsigned row = 0; row < 8; ++row) {
    if ((table.bits >> row & 1) == 0) continue;
    llvm::Value* term = nullptr;
    for (unsigned i = 0; i < 3; ++i) {
      llvm::Value* input = (row >> (2 - i) & 1) != 0 ? inputs[i] : ir.CreateNot(inputs[i]);
      term = term == nullptr ? input : ir.CreateAnd(term, input);
    }
    result = ir.CreateOr(result, term);
  }
  const ptx::Operand& to = form.operand(0);
  if (!form.has("or") && !form.has("and")) return e.write(to, result);
  // `lop3.or.b32 d|p, a, b, c, table, q`
  if (!to.is(ptx::Operand::Kind::kVector) || to.parts.size() != 2) form.refuse("gives two results");
  llvm::Value* any = ir.CreateICmpNE(result, e.constant(32, 0));
  llvm::Value* other = e.read_predicate(form.operand(5));
  e.write(to.parts[0], result);
  e.write(to.parts[1], form.has("or") ? ir.CreateOr(any, other) : ir.CreateAnd(any, other));
}

void emit_bfe(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  const ptx::Type type = form.type();
  const unsigned bits = type.bits;
  llvm::Value* value = operand(e, form, 1);
  llvm::Value* from = small(e, form, 2);
  llvm::Value* count = small(e, form, 3);
  llvm::Value* moved = shifted(e, value, from, false, is_signed(type));
  // Up to the top and down again: what lies above the field is gone.
  llvm::Value* above =
      ir.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, e.constant(32, bits), count);
  llvm::Value* result =
      shifted(e, shifted(e, moved, above, true, false), above, false, is_signed(type));
  result = ir.CreateSelect(ir.CreateICmpEQ(count, e.constant(32, 0)), e.constant(bits, 0), result);
  e.write(form.operand(0), result, is_signed(type));
}

void emit_bfi(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  const unsigned bits = form.type().bits;
  llvm::Value* field = operand(e, form, 1);
  llvm::Value* base = operand(e, form, 2);
  llvm::Value* from = small(e, form, 3);
  llvm::Value* count = small(e, form, 4);
  llvm::Value* all = e.constant(bits, ~std::uint64_t{0});
  llvm::Value* mask = ir.CreateNot(shifted(e, all, count, true, false));
  mask = shifted(e, mask, from, true, false);
  llvm::Value* moved = ir.CreateAnd(shifted(e, field, from, true, false), mask);
  e.write(form.operand(0), ir.CreateOr(moved, ir.CreateAnd(base, ir.CreateNot(mask))));
}

/// The highest bit that is not the sign.
void emit_bfind(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  const ptx::Type type = form.type();
  const unsigned bits = type.bits;
  llvm::Value* value = operand(e, form, 1);
  if (is_signed(type))
    value = ir.CreateXor(value, ir.CreateAShr(value, e.constant(bits, bits - 1)));
  llvm::Value* zeros =
      e.resized(ir.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, value, ir.getFalse()), 32);
  llvm::Value* found = form.has("shiftamt") ? zeros : ir.CreateSub(e.constant(32, bits - 1), zeros);
  e.write(form.operand(0), ir.CreateSelect(ir.CreateICmpEQ(value, e.constant(bits, 0)),
                                           e.constant(32, 0xFFFFFFFF), found));
}

void emit_brev(Emitter& e, const Form& form) {
  e.write(form.operand(0),
          e.ir().CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, operand(e, form, 1)));
}

void emit_popc(Emitter& e, const Form& form) {
  e.write(form.operand(0),
          e.resized(e.ir().CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, operand(e, form, 1)), 32));
}

void emit_clz(Emitter& e, const Form& form) {
  e.write(form.operand(0),
          e.resized(e.ir().CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, operand(e, form, 1),
                                                 e.ir().getFalse()),
                    32));
}

void emit_fns(Emitter& e, const Form& form) {
  e.write(form.operand(0), e.call("xfer_fns", e.integer(32),
                                  {e.read(form.operand(1), 32), e.read(form.operand(2), 32),
                                   e.read(form.operand(3), 32)}));
}

void emit_prmt(Emitter& e, const Form& form) {
  constexpr std::string_view kModes[] = {"", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
  std::uint32_t mode = 0;
  for (std::uint32_t i = 1; i < std::size(kModes); ++i)
    if (form.has(kModes[i])) mode = i;
  const ptx::Operand& selector = form.operand(3);
  if (mode == 0 && selector.is(ptx::Operand::Kind::kInteger) && (selector.bits & 0x8888) == 0)
    return e.write(form.operand(0), permuted(e, e.read(form.operand(1), 32),
                                             e.read(form.operand(2), 32), selector.bits));
  llvm::Value* a = e.read(form.operand(1), 32);
  llvm::Value* b = e.read(form.operand(2), 32);
  llvm::Value* numbers = e.read(selector, 32);
  e.write(form.operand(0),
          mode == 0 ? permuted(e, a, b, numbers)
                    : e.call("xfer_prmt", e.integer(32), {a, b, numbers, e.constant(32, mode)}));
}

void emit_bmsk(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  llvm::Value* from = e.read(form.operand(1), 32);
  llvm::Value* count = e.read(form.operand(2), 32);
  if (form.has("wrap")) {
    from = ir.CreateAnd(from, e.constant(32, 31));
    count = ir.CreateAnd(count, e.constant(32, 31));
  }
  llvm::Value* within = ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, count, e.constant(32, 32));
  llvm::Value* mask = ones(e, from, within);
  e.write(form.operand(0),
          ir.CreateSelect(ir.CreateICmpUGT(from, e.constant(32, 31)), e.constant(32, 0), mask));
}

/// The number is cut to its lowest bits and made wide again.
void emit_szext(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  const bool sign = is_signed(form.type());
  llvm::Value* value = e.read(form.operand(1), 32);
  llvm::Value* count = e.read(form.operand(2), 32);
  if (form.has("wrap")) count = ir.CreateAnd(count, e.constant(32, 31));
  llvm::Value* above =
      ir.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, e.constant(32, 32), count);
  llvm::Value* result = shifted(e, shifted(e, value, above, true, false), above, false, sign);
  e.write(form.operand(0),
          ir.CreateSelect(ir.CreateICmpEQ(count, e.constant(32, 0)), e.constant(32, 0), result));
}

}  // namespace xfer::kernels
