// cvt: between all types of numbers.

#include <llvm/ADT/APInt.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "kernels/small_float.h"
#include "kernels/translate/floating.h"
#include "kernels/translate/instructions.h"

namespace xfer::kernels {
namespace {

using ptx::Type;

/// To a whole number, as `.rni` and its kin say.
llvm::Value* to_whole(Emitter& e, const Form& form, llvm::Value* value) {
  for (const auto& [modifier, id] :
       {std::pair<std::string_view, llvm::Intrinsic::ID>{"rni", llvm::Intrinsic::roundeven},
        {"rzi", llvm::Intrinsic::trunc},
        {"rmi", llvm::Intrinsic::floor},
        {"rpi", llvm::Intrinsic::ceil}})
    if (form.has(modifier)) return e.ir().CreateUnaryIntrinsic(id, value);
  return value;
}

std::optional<SmallFloat> small_float(Type type) {
  switch (type.kind) {
    case Type::Kind::kBrain: return SmallFloat::kBf16;
    case Type::Kind::kTensor: return SmallFloat::kTf32;
    case Type::Kind::kFloat:
      if (type.bits == 16) return SmallFloat::kF16;
      return std::nullopt;
    default: return std::nullopt;
  }
}

/// The types of eight bits and fewer differ by name alone.
std::optional<SmallFloat> small_float_named(const Form& form, std::size_t n) {
  std::size_t seen = 0;
  for (const std::string_view modifier : form.instruction().modifiers) {
    if (!ptx::type_named(modifier)) continue;
    if (seen++ != n) continue;
    for (const auto& [name, format] :
         {std::pair<std::string_view, SmallFloat>{"e4m3", SmallFloat::kE4m3},
          {"e5m2", SmallFloat::kE5m2},
          {"e2m1", SmallFloat::kE2m1},
          {"e2m3", SmallFloat::kE2m3},
          {"e3m2", SmallFloat::kE3m2},
          {"ue8m0", SmallFloat::kUe8m0}})
      if (modifier.starts_with(name)) return format;
  }
  return small_float(form.type(n));
}

bool to_nearest(const Form& form) {
  return rounding_of(form) == 0 && !form.has("satfinite") && !form.has("rna");
}

/// The bits of the nearest f16; a NaN becomes the one that devices make.
llvm::Value* half_bits(Emitter& e, llvm::Value* value) {
  auto& ir = e.ir();
  llvm::Value* bits = ir.CreateBitCast(ir.CreateFPTrunc(value, ir.getHalfTy()), e.integer(16));
  return ir.CreateSelect(ir.CreateFCmpUNO(value, value), e.constant(16, 0x7FFF), bits);
}

/// The bits of the nearest tf32: those of a float without the last ones. Halves go to even, or with
/// `away` from zero.
llvm::Value* tensor_bits(Emitter& e, llvm::Value* value, bool away) {
  constexpr std::uint32_t kLast = 0x1FFF;
  auto& ir = e.ir();
  llvm::Value* bits = ir.CreateBitCast(value, e.integer(32));
  llvm::Value* half = e.constant(32, kLast / 2 + 1);
  if (!away) {
    llvm::Value* odd = ir.CreateAnd(ir.CreateLShr(bits, e.constant(32, 13)), e.constant(32, 1));
    half = ir.CreateAdd(odd, e.constant(32, kLast / 2));
  }
  bits = ir.CreateAnd(ir.CreateAdd(bits, half), e.constant(32, ~kLast));
  return ir.CreateSelect(ir.CreateFCmpUNO(value, value), e.constant(32, 0x7FFFE000), bits);
}

/// The bits of a float in a small format, in an integer of `bits`.
llvm::Value* encoded(Emitter& e, const Form& form, llvm::Value* value, SmallFloat format,
                     unsigned bits) {
  if (to_nearest(form) && value->getType()->isFloatTy()) {
    if (format == SmallFloat::kF16) return e.resized(half_bits(e, value), bits);
    if (format == SmallFloat::kBf16)
      return e.resized(e.ir().CreateBitCast(to_brain(e, value), e.integer(16)), bits);
  }
  if (format == SmallFloat::kTf32 && value->getType()->isFloatTy() && rounding_of(form) == 0 &&
      !form.has("satfinite"))
    return e.resized(tensor_bits(e, value, form.has("rna")), bits);
  const std::uint32_t how = form.has("rna") ? 4 : rounding_of(form);
  llvm::Value* wide = e.ir().CreateFPCast(value, e.ir().getDoubleTy());
  llvm::Value* code = e.call("xfer_encode", e.integer(32),
                             {wide, e.constant(32, static_cast<std::uint32_t>(format)),
                              e.constant(32, how), e.constant(32, form.has("satfinite"))});
  if (format == SmallFloat::kTf32) code = e.ir().CreateShl(code, e.constant(32, 13));
  return e.resized(code, bits);
}

/// An f32 or f64. One of eight bits or fewer is an f16 whose exponent is off by a constant.
llvm::Value* decoded(Emitter& e, llvm::Value* code, SmallFloat format) {
  auto& ir = e.ir();
  code = e.resized(code, 32);
  const auto half = [&](llvm::Value* bits) {
    bits = ir.CreateBitCast(e.resized(bits, 16), ir.getHalfTy());
    return ir.CreateFPExt(bits, ir.getFloatTy());
  };
  switch (format) {
    case SmallFloat::kF16: return half(code);
    case SmallFloat::kBf16:
      return from_brain(e, ir.CreateBitCast(e.resized(code, 16), ir.getBFloatTy()));
    case SmallFloat::kTf32:
    case SmallFloat::kUe8m0:
      return e.call("xfer_decode", ir.getDoubleTy(),
                    {code, e.constant(32, static_cast<std::uint32_t>(format))});
    default: break;
  }
  const FloatShape& shape = shape_of(format);
  const int size_bits = shape.exponent_bits + shape.mantissa_bits;
  const std::uint32_t sizes = (std::uint32_t{1} << size_bits) - 1;
  llvm::Value* size = ir.CreateAnd(code, e.constant(32, sizes));
  const int bias = (1 << (shape.exponent_bits - 1)) - 1;
  llvm::Value* value =
      ir.CreateFMul(half(ir.CreateShl(size, e.constant(32, 10 - shape.mantissa_bits))),
                    llvm::ConstantFP::get(ir.getFloatTy(), std::ldexp(1.0, 15 - bias)));
  llvm::Value* negative =
      ir.CreateICmpNE(ir.CreateAnd(code, e.constant(32, sizes + 1)), e.constant(32, 0));
  value = ir.CreateSelect(negative, ir.CreateFNeg(value), value);
  if (!shape.nan || shape.infinity) return value;
  return ir.CreateSelect(ir.CreateICmpEQ(size, e.constant(32, sizes)),
                         llvm::ConstantFP::getNaN(ir.getFloatTy()), value);
}

llvm::Value* relu(Emitter& e, const Form& form, llvm::Value* value) {
  if (!form.has("relu")) return value;
  return e.ir().CreateBinaryIntrinsic(llvm::Intrinsic::maximum, value, e.constant_like(value, 0.0));
}

/// To a float of fewer bits.
llvm::Value* narrowed(Emitter& e, const Form& form, llvm::Value* value, Type to) {
  auto& ir = e.ir();
  const auto format = small_float(to);
  const bool nearest = to_nearest(form);
  if (format == SmallFloat::kBf16 && nearest)  // write_float rounds it
    return value->getType()->isHalfTy() ? ir.CreateFPExt(value, ir.getFloatTy()) : value;
  if (rounding_of(form) != 0 && !format)
    return e.call("xfer_cvt_f32_f64", ir.getFloatTy(), {value, e.constant(32, rounding_of(form))});
  if (!format) return ir.CreateFPTrunc(value, e.floating(to));
  if (!nearest) return ir.CreateBitCast(encoded(e, form, value, *format, 16), e.floating(to));
  return ir.CreateBitCast(half_bits(e, value), e.floating(to));
}

/// On the way to an f16 `.ftz` keeps the operand.
llvm::Value* operand_of(Emitter& e, const Form& form, Type to, Type from) {
  return from.bits == 32 && small_float(to) == SmallFloat::kF16
             ? e.read_float(form.operand(1), from)
             : float_operand(e, form, 1, from);
}

/// A result of an f64 that `.ftz` flushes: one that is too small when it is rounded with all its
/// bits, so before what is left of them is rounded.
llvm::Value* flushed_result(Emitter& e, const Form& form, llvm::Value* value, llvm::Value* result) {
  auto& ir = e.ir();
  const auto like = [&](double limit) { return e.constant_like(value, limit); };
  llvm::Value* size = ir.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
  llvm::Value* inwards = ir.CreateFCmpOLT(size, like(0x1p-126));
  llvm::Value* outwards = ir.CreateFCmpOLE(size, like(0x1p-126 - 0x1p-150));
  llvm::Value* negative = ir.CreateFCmpOLT(value, like(0));
  llvm::Value* flushed = nullptr;
  switch (rounding_of(form)) {
    case 0: flushed = ir.CreateFCmpOLT(size, like(0x1p-126 - 0x1p-151)); break;
    case 1: flushed = inwards; break;
    case 2: flushed = ir.CreateSelect(negative, outwards, inwards); break;
    default: flushed = ir.CreateSelect(negative, inwards, outwards); break;
  }
  llvm::Value* zero =
      ir.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, e.constant_like(result, 0.0), result);
  return ir.CreateSelect(flushed, zero, result);
}

void emit_between_floats(Emitter& e, const Form& form, Type to, Type from) {
  auto& ir = e.ir();
  llvm::Value* value = relu(e, form, operand_of(e, form, to, from));
  if (to == from)
    value = to_whole(e, form, value);
  else if (form.has("ftz") && to.bits == 32 && from.bits == 64)
    value = flushed_result(e, form, value, narrowed(e, form, value, to));
  else if (to.bits <= from.bits)
    value = narrowed(e, form, value, to);
  else if (value->getType() != e.floating(to))
    value = ir.CreateFPExt(value, e.floating(to));
  write_float(e, form, value);
}

void emit_to_tensor(Emitter& e, const Form& form, Type from) {
  constexpr unsigned kCutOff = 13;  // bits
  llvm::Value* value = relu(e, form, float_operand(e, form, 1, from));
  if (form.has("rna")) value = nan_without(e, kCutOff, value);  // devices add to the bits
  e.write(form.operand(0), encoded(e, form, value, SmallFloat::kTf32, 32));
}

void emit_to_integer(Emitter& e, const Form& form, Type to, Type from) {
  auto& ir = e.ir();
  llvm::Value* value = to_whole(e, form, float_operand(e, form, 1, from));
  // As f32: of f16, LLVM 22 makes a NaN the least number where the CPU converts by itself.
  if (value->getType()->isHalfTy()) value = e.ir().CreateFPExt(value, e.ir().getFloatTy());
  llvm::Value* result =
      ir.CreateIntrinsic(is_signed(to) ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
                         {e.integer(to.bits), value->getType()}, {value});
  if (from.bits == 64 || to.bits == 64)
    result = ir.CreateSelect(ir.CreateFCmpUNO(value, value),
                             e.constant(to.bits, std::uint64_t{1} << (to.bits - 1)), result);
  e.write(form.operand(0), result, is_signed(to));
}

void emit_from_integer(Emitter& e, const Form& form, Type to, Type from) {
  auto& ir = e.ir();
  llvm::Value* value = e.read(form, 1, from);
  llvm::Value* result = nullptr;
  if (const auto format = small_float(to); format && (rounding_of(form) != 0 || from.bits > 32)) {
    // An integer of 32 bits is a double; one of 64 rounds towards an odd one first.
    llvm::Value* wide = e.call(is_signed(from) ? "xfer_odd_f64_s64" : "xfer_odd_f64_u64",
                               ir.getDoubleTy(), {e.resized(value, 64, is_signed(from))});
    result = ir.CreateBitCast(encoded(e, form, wide, *format, 16), e.floating(to));
  } else if (format) {
    llvm::Value* wide = is_signed(from) ? ir.CreateSIToFP(value, ir.getDoubleTy())
                                        : ir.CreateUIToFP(value, ir.getDoubleTy());
    result = ir.CreateBitCast(encoded(e, form, wide, *format, 16), e.floating(to));
  } else if (rounding_of(form) != 0) {
    const std::string name = std::string("xfer_cvt_f") + (to.bits == 32 ? "32_" : "64_") +
                             (is_signed(from) ? "s64" : "u64");
    result = e.call(name.c_str(), e.floating(to),
                    {e.resized(value, 64, is_signed(from)), e.constant(32, rounding_of(form))});
  } else {
    result = is_signed(from) ? ir.CreateSIToFP(value, e.floating(to))
                             : ir.CreateUIToFP(value, e.floating(to));
  }
  write_float(e, form, result);
}

llvm::Value* clamped(Emitter& e, llvm::Value* value, Type to, Type from) {
  auto& ir = e.ir();
  const unsigned wide = std::max(to.bits, from.bits) + 1U;
  const llvm::APInt least = is_signed(to) ? llvm::APInt::getSignedMinValue(to.bits).sext(wide)
                                          : llvm::APInt::getZero(wide);
  const llvm::APInt most = is_signed(to) ? llvm::APInt::getSignedMaxValue(to.bits).sext(wide)
                                         : llvm::APInt::getMaxValue(to.bits).zext(wide);
  value = e.resized(value, wide, is_signed(from));
  value = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value,
                                   llvm::ConstantInt::get(e.integer(wide), least));
  value = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, value,
                                   llvm::ConstantInt::get(e.integer(wide), most));
  return e.resized(value, to.bits);
}

void emit_between_integers(Emitter& e, const Form& form, Type to, Type from) {
  llvm::Value* value = e.read(form, 1, from);
  value =
      form.has("sat") ? clamped(e, value, to, from) : e.resized(value, to.bits, is_signed(from));
  e.write(form.operand(0), value, is_signed(to));
}

/// `cvt.pack.sat.u8.s32.b32 d, a, b, c`: two clamped numbers beside what c has.
void emit_pack(Emitter& e, const Form& form) {
  auto& ir = e.ir();
  const Type to = form.type(0);
  const Type from = form.type(1);
  if (form.type_count() != form.operand_count() - 1) form.refuse("cannot be run");  // .u2, .s2
  const auto part = [&](std::size_t n) {
    return e.resized(clamped(e, e.read(form, n, from), to, from), 32);
  };
  llvm::Value* both = ir.CreateOr(ir.CreateShl(part(1), e.constant(32, to.bits)), part(2));
  if (form.operand_count() > 3)
    both =
        ir.CreateOr(ir.CreateShl(e.read(form.operand(3), 32), e.constant(32, 2 * to.bits)), both);
  e.write(form.operand(0), both);
}

/// `cvt.rn.f16x2.f32 d, a, b`, `cvt.rn.satfinite.e4m3x2.f16x2 d, a`: the first is the upper half.
void emit_pair(Emitter& e, const Form& form, Type to, Type from) {
  auto& ir = e.ir();
  const auto format = small_float_named(form, 0);
  const auto source = small_float_named(form, 1);
  const auto part = [&](unsigned upper) -> llvm::Value* {
    if (from.lanes == 1) return float_operand(e, form, upper != 0 ? 1 : 2, from);
    llvm::Value* whole = e.read(form, 1, from);
    const unsigned bits = whole->getType()->getIntegerBitWidth();
    whole = ir.CreateLShr(whole, e.constant(bits, upper * from.bits));
    return decoded(
        e, ir.CreateAnd(e.resized(whole, 32), e.constant(32, (std::uint64_t{1} << from.bits) - 1)),
        *source);
  };
  if (!format || (from.lanes > 1 && !source) || to.lanes != 2 ||
      (from.lanes == 1 && form.operand_count() != 3))
    form.refuse("cannot be run");
  const unsigned bits = unsigned{to.bits} * 2;
  llvm::Value* halves[2];
  for (unsigned upper = 0; upper < 2; ++upper)
    halves[upper] = encoded(e, form, relu(e, form, part(upper)), *format, bits);
  e.write(form.operand(0),
          ir.CreateOr(halves[0], ir.CreateShl(halves[1], e.constant(bits, to.bits))));
}

}  // namespace

void emit_cvt(Emitter& e, const Form& form) {
  if (form.has("rs") || form.has("scaled::n2::ue8m0")) form.refuse("cannot be run");
  if (form.has("pack")) return emit_pack(e, form);
  const Type to = form.type(0);
  const Type from = form.type(1);
  if (to.lanes > 1 || from.lanes > 1) return emit_pair(e, form, to, from);
  if (to.kind == Type::Kind::kTensor) return emit_to_tensor(e, form, from);
  if (to.kind == Type::Kind::kSmall || from.kind == Type::Kind::kSmall)
    form.refuse("cannot be run");
  if (is_float(to) && is_float(from)) return emit_between_floats(e, form, to, from);
  if (is_float(from)) return emit_to_integer(e, form, to, from);
  if (is_float(to)) return emit_from_integer(e, form, to, from);
  emit_between_integers(e, form, to, from);
}

}  // namespace xfer::kernels
