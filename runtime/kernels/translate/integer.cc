// Arithmetic on integers.

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "kernels/translate/high_product.h"
#include "kernels/translate/instructions.h"

namespace xfer::kernels {
namespace {

using llvm::Intrinsic::ID;

llvm::Value* sum(Emitter& e, const Form& form, llvm::Value* a, llvm::Value* b, bool minus) {
  auto& ir = e.ir();
  if (!form.has("sat")) return minus ? ir.CreateSub(a, b) : ir.CreateAdd(a, b);
  return ir.CreateBinaryIntrinsic(minus ? llvm::Intrinsic::ssub_sat : llvm::Intrinsic::sadd_sat, a,
                                  b);
}

/// `.u16x2`, `.s16x2`: both halves by the same operation.
llvm::Value* halves(Emitter& e, llvm::Value* value) {
  return e.ir().CreateBitCast(value, llvm::FixedVectorType::get(e.integer(16), 2));
}

/// a + b + the carry, or a - b - the borrow; sets the flag where `.cc` says so.
void emit_carry(Emitter& e, const Form& form, llvm::Value* a, llvm::Value* b, bool minus,
                bool with) {
  auto& ir = e.ir();
  const unsigned bits = form.type().bits;
  const unsigned wide = bits + 1;
  llvm::Value* result = minus ? ir.CreateSub(e.resized(a, wide), e.resized(b, wide))
                              : ir.CreateAdd(e.resized(a, wide), e.resized(b, wide));
  if (with) {
    llvm::Value* flag = e.resized(ir.CreateLoad(e.integer(1), e.carry()), wide);
    result = minus ? ir.CreateSub(result, flag) : ir.CreateAdd(result, flag);
  }
  if (form.has("cc"))
    ir.CreateStore(e.resized(ir.CreateLShr(result, e.constant(wide, bits)), 1), e.carry());
  e.write(form.operand(0), e.resized(result, bits));
}

llvm::Value* product(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  const ptx::Type type = form.type();
  llvm::Value* a = e.read(form, 1, type);
  llvm::Value* b = e.read(form, 2, type);
  if (!form.has("wide") && !form.has("hi")) return ir.CreateMul(a, b);
  const unsigned bits = type.bits;
  if (bits == 64 && form.has("hi")) return high_product(ir, a, b, is_signed(type));
  llvm::Value* whole = ir.CreateMul(e.resized(a, 2 * bits, is_signed(type)),
                                    e.resized(b, 2 * bits, is_signed(type)));
  if (form.has("wide")) return whole;
  return e.resized(ir.CreateLShr(whole, e.constant(2 * bits, bits)), bits);
}

/// The lowest 24 bits of two 32-bit numbers.
llvm::Value* product24(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  const bool sign = is_signed(form.type());
  const auto part = [&](std::size_t n) {
    return e.resized(e.resized(e.read(form, n, form.type()), 24), 64, sign);
  };
  llvm::Value* whole = ir.CreateMul(part(1), part(2));
  // .hi: the upper 32 of the 48 bits.
  return e.resized(form.has("hi") ? ir.CreateLShr(whole, e.constant(64, 16)) : whole, 32);
}

/// Gives a device's result where this CPU would trap: all ones for a division by zero and for its
/// remainder, as ptxas writes them.
llvm::Value* quotient(Emitter& e, const Form& form, bool remainder) {
  auto& ir = e.ir();
  const ptx::Type type = form.type();
  llvm::Value* a = e.read(form, 1, type);
  llvm::Value* b = e.read(form, 2, type);
  llvm::Value* zero = e.constant(type.bits, 0);
  llvm::Value* minus_one = e.constant(type.bits, ~std::uint64_t{0});
  llvm::Value* by_zero = ir.CreateICmpEQ(b, zero);
  llvm::Value* bad = by_zero;
  if (is_signed(type)) {
    llvm::Value* by_minus_one = ir.CreateICmpEQ(b, minus_one);
    bad = ir.CreateOr(bad, by_minus_one);
    llvm::Value* safe = ir.CreateSelect(bad, e.constant(type.bits, 1), b);
    llvm::Value* usual = remainder ? ir.CreateSRem(a, safe) : ir.CreateSDiv(a, safe);
    usual = ir.CreateSelect(by_minus_one, remainder ? zero : ir.CreateNeg(a), usual);
    return ir.CreateSelect(by_zero, minus_one, usual);
  }
  llvm::Value* safe = ir.CreateSelect(bad, e.constant(type.bits, 1), b);
  llvm::Value* usual = remainder ? ir.CreateURem(a, safe) : ir.CreateUDiv(a, safe);
  return ir.CreateSelect(by_zero, minus_one, usual);
}

void emit_extreme(Emitter& e, const Form& form, ID of_signed, ID of_unsigned) {
  const ptx::Type type = form.type();
  llvm::Value* a = e.read(form, 1, type);
  llvm::Value* b = e.read(form, 2, type);
  if (type.lanes == 2) a = halves(e, a), b = halves(e, b);
  llvm::Value* result =
      e.ir().CreateBinaryIntrinsic(is_signed(type) ? of_signed : of_unsigned, a, b);
  if (form.has("relu"))
    result = e.ir().CreateBinaryIntrinsic(llvm::Intrinsic::smax, result,
                                          llvm::Constant::getNullValue(result->getType()));
  e.write(form.operand(0), result, is_signed(type));
}

/// Products of two or four pairs of small integers, and an addend.
void emit_dot(Emitter& e, const Form& form, unsigned count) {
  auto& ir = e.ir();
  const bool sign_a = is_signed(form.type(0));
  const bool sign_b = is_signed(form.type(1));
  llvm::Value* a = e.read(form.operand(1), 32);
  llvm::Value* b = e.read(form.operand(2), 32);
  llvm::Value* total = e.read(form.operand(3), 32);
  const unsigned bits_a = 32 / count;
  const unsigned first_b = count == 2 && form.has("hi") ? 16 : 0;
  const auto part = [&](llvm::Value* from, unsigned at, unsigned bits, bool sign) {
    return e.resized(e.resized(ir.CreateLShr(from, e.constant(32, at)), bits), 32, sign);
  };
  for (unsigned i = 0; i < count; ++i)
    total = ir.CreateAdd(total, ir.CreateMul(part(a, i * bits_a, bits_a, sign_a),
                                             part(b, first_b + i * 8, 8, sign_b)));
  e.write(form.operand(0), total);
}

}  // namespace

void emit_add_integer(Emitter& e, const Form& form, bool minus) {
  const ptx::Type type = form.type();
  llvm::Value* a = e.read(form, 1, type);
  llvm::Value* b = e.read(form, 2, type);
  if (form.has("cc")) return emit_carry(e, form, a, b, minus, false);
  if (type.lanes == 2) a = halves(e, a), b = halves(e, b);
  e.write(form.operand(0), sum(e, form, a, b, minus), is_signed(type));
}

void emit_addc(Emitter& e, const Form& form) {
  emit_carry(e, form, e.read(form, 1, form.type()), e.read(form, 2, form.type()), false, true);
}

void emit_subc(Emitter& e, const Form& form) {
  emit_carry(e, form, e.read(form, 1, form.type()), e.read(form, 2, form.type()), true, true);
}

void emit_mul_integer(Emitter& e, const Form& form) {
  e.write(form.operand(0), product(e, form), is_signed(form.type()));
}

void emit_mad_integer(Emitter& e, const Form& form) {
  const ptx::Type type = form.type();
  llvm::Value* whole = product(e, form);
  const auto bits = whole->getType()->getIntegerBitWidth();
  llvm::Value* addend = e.read(form.operand(3), bits, is_signed(type));
  if (form.has("cc")) return emit_carry(e, form, whole, addend, false, false);
  e.write(form.operand(0), sum(e, form, whole, addend, false), is_signed(type));
}

void emit_madc(Emitter& e, const Form& form) {
  emit_carry(e, form, product(e, form), e.read(form, 3, form.type()), false, true);
}

void emit_mul24(Emitter& e, const Form& form) { e.write(form.operand(0), product24(e, form)); }

void emit_mad24(Emitter& e, const Form& form) {
  e.write(form.operand(0), sum(e, form, product24(e, form), e.read(form, 3, form.type()), false));
}

void emit_div_integer(Emitter& e, const Form& form) {
  e.write(form.operand(0), quotient(e, form, false), is_signed(form.type()));
}

void emit_rem(Emitter& e, const Form& form) {
  e.write(form.operand(0), quotient(e, form, true), is_signed(form.type()));
}

void emit_abs_integer(Emitter& e, const Form& form) {
  e.write(form.operand(0),
          e.ir().CreateBinaryIntrinsic(llvm::Intrinsic::abs, e.read(form, 1, form.type()),
                                       e.ir().getFalse()));
}

void emit_neg_integer(Emitter& e, const Form& form) {
  e.write(form.operand(0), e.ir().CreateNeg(e.read(form, 1, form.type())), is_signed(form.type()));
}

void emit_min_integer(Emitter& e, const Form& form) {
  emit_extreme(e, form, llvm::Intrinsic::smin, llvm::Intrinsic::umin);
}

void emit_max_integer(Emitter& e, const Form& form) {
  emit_extreme(e, form, llvm::Intrinsic::smax, llvm::Intrinsic::umax);
}

void emit_sad(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  const ptx::Type type = form.type();
  llvm::Value* a = e.read(form, 1, type);
  llvm::Value* b = e.read(form, 2, type);
  llvm::Value* less = is_signed(type) ? ir.CreateICmpSLT(a, b) : ir.CreateICmpULT(a, b);
  llvm::Value* apart = ir.CreateSelect(less, ir.CreateSub(b, a), ir.CreateSub(a, b));
  e.write(form.operand(0), ir.CreateAdd(apart, e.read(form, 3, type)));
}

void emit_dp2a(Emitter& e, const Form& form) { emit_dot(e, form, 2); }
void emit_dp4a(Emitter& e, const Form& form) { emit_dot(e, form, 4); }

}  // namespace xfer::kernels
