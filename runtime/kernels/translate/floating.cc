// Arithmetic on floats: f16, bf16, f32, f64 and pairs of them.

#include "kernels/translate/floating.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "kernels/translate/instructions.h"

namespace xfer::kernels {
namespace {

/// a * b of f16, bf16 or f32: an f64, exactly.
llvm::Value* product_of(Emitter& e, llvm::Value* a, llvm::Value* b) {
  llvm::Type* wide = e.ir().getDoubleTy();
  return e.ir().CreateFMul(widened(e, a, wide), widened(e, b, wide));
}

bool is_single(llvm::Value* value) { return value->getType()->getScalarType()->isFloatTy(); }

/// a * b + c of f16 or bf16, in doubles, so that it is rounded once.
llvm::Value* fused_wide(Emitter& e, llvm::Value* a, llvm::Value* b, llvm::Value* c) {
  return odd_sum(e, product_of(e, a, b), widened(e, c, e.ir().getDoubleTy()));
}

llvm::Value* fused(Emitter& e, const Form& form, ptx::Type type) {
  // `fma.rn.f32.f16`: the addend is of the first type, the factors are of the second.
  const ptx::Type factor = form.type(form.type_count() - 1);
  llvm::Value* a = float_operand(e, form, 1, factor);
  llvm::Value* b = float_operand(e, form, 2, factor);
  llvm::Value* c = float_operand(e, form, 3, type);
  if (type.bits == 16) {
    llvm::Value* wide = fused_wide(e, a, b, c);
    return type.kind == ptx::Type::Kind::kBrain ? wide : e.ir().CreateFPTrunc(wide, a->getType());
  }
  if (factor != type) {
    a = widened(e, a, c->getType()->getScalarType());
    b = widened(e, b, c->getType()->getScalarType());
  }
  const unsigned how = rounding_of(form);
  if (how != 0 && is_single(a))
    return directed(e, how, product_of(e, a, b), widened(e, c, e.ir().getDoubleTy()));
  if (how != 0) return rounded(e, form, "fma", {a, b, c});
  return e.ir().CreateIntrinsic(llvm::Intrinsic::fma, {a->getType()}, {a, b, c});
}

void emit_extreme(Emitter& e, const Form& form, bool least) {
  auto& ir = e.ir();
  const ptx::Type type = form.type();
  const auto id = form.has("NaN")
                      ? (least ? llvm::Intrinsic::minimum : llvm::Intrinsic::maximum)
                      : (least ? llvm::Intrinsic::minimumnum : llvm::Intrinsic::maximumnum);
  const auto size_of = [&](llvm::Value* value) -> llvm::Value* {
    return form.has("abs") ? ir.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value) : value;
  };
  llvm::Value* sign = nullptr;
  llvm::Value* result = nullptr;
  for (std::size_t n = 1; n < form.operand_count(); ++n) {
    llvm::Value* value = float_operand(e, form, n, type);
    llvm::Type* whole =
        e.integer(static_cast<unsigned>(value->getType()->getPrimitiveSizeInBits()));
    llvm::Value* bits = ir.CreateBitCast(value, whole);
    sign = sign == nullptr ? bits : ir.CreateXor(sign, bits);
    result =
        result == nullptr ? size_of(value) : ir.CreateBinaryIntrinsic(id, result, size_of(value));
  }
  if (form.has("xorsign"))
    result = ir.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, result,
                                      ir.CreateBitCast(sign, result->getType()));
  write_float(e, form, result);
}

}  // namespace

void emit_add_float(Emitter& e, const Form& form, bool minus) {
  // `add.f32.bf16`: the first operand is of the second type.
  llvm::Value* a = float_operand(e, form, 1, form.type(form.type_count() - 1));
  llvm::Value* b = float_operand(e, form, 2, form.type());
  if (a->getType() != b->getType()) a = widened(e, a, b->getType()->getScalarType());
  if (minus) b = e.ir().CreateFNeg(b);
  const unsigned how = rounding_of(form);
  llvm::Type* wide = e.ir().getDoubleTy();
  write_float(e, form,
              how == 0       ? e.ir().CreateFAdd(a, b)
              : is_single(a) ? directed(e, how, widened(e, a, wide), widened(e, b, wide))
                             : rounded(e, form, "add", {a, b}));
}

void emit_mul_float(Emitter& e, const Form& form) {
  llvm::Value* a = float_operand(e, form, 1, form.type());
  llvm::Value* b = float_operand(e, form, 2, form.type());
  const unsigned how = rounding_of(form);
  write_float(e, form,
              how == 0       ? e.ir().CreateFMul(a, b)
              : is_single(a) ? directed(e, how, product_of(e, a, b), nullptr)
                             : rounded(e, form, "mul", {a, b}));
}

void emit_fma(Emitter& e, const Form& form) {
  if (form.has("oob")) form.refuse("cannot be run");
  write_float(e, form, fused(e, form, form.type()));
}

void emit_div_float(Emitter& e, const Form& form) {
  if (form.has("approx") || form.has("full")) e.unit().note_approximate("div.approx");
  llvm::Value* a = float_operand(e, form, 1, form.type());
  llvm::Value* b = float_operand(e, form, 2, form.type());
  write_float(e, form,
              rounding_of(form) != 0 ? rounded(e, form, "div", {a, b}) : e.ir().CreateFDiv(a, b));
}

void emit_abs_float(Emitter& e, const Form& form) {
  if (form.type().kind == ptx::Type::Kind::kBrain)
    return e.write(form.operand(0),
                   e.ir().CreateUnaryIntrinsic(llvm::Intrinsic::fabs,
                                               e.read_float(form.operand(1), form.type())));
  write_float(
      e, form,
      e.ir().CreateUnaryIntrinsic(llvm::Intrinsic::fabs, float_operand(e, form, 1, form.type())));
}

void emit_neg_float(Emitter& e, const Form& form) {
  if (form.type().kind == ptx::Type::Kind::kBrain)
    return e.write(form.operand(0), e.ir().CreateFNeg(e.read_float(form.operand(1), form.type())));
  write_float(e, form, e.ir().CreateFNeg(float_operand(e, form, 1, form.type())));
}

void emit_min_float(Emitter& e, const Form& form) { emit_extreme(e, form, true); }
void emit_max_float(Emitter& e, const Form& form) { emit_extreme(e, form, false); }

/// The sign of the first, the rest of the second.
void emit_copysign(Emitter& e, const Form& form) {
  llvm::Value* sign = e.read_float(form.operand(1), form.type());
  llvm::Value* size = e.read_float(form.operand(2), form.type());
  e.write(form.operand(0), e.ir().CreateBinaryIntrinsic(llvm::Intrinsic::copysign, size, sign));
}

void emit_testp(Emitter& e, const Form& form) {
  llvm::Value* value = e.read_float(form.operand(1), form.type());
  unsigned classes = 0;
  if (form.has("finite")) classes = llvm::fcFinite;
  if (form.has("infinite")) classes = llvm::fcInf;
  if (form.has("number")) classes = llvm::fcFinite | llvm::fcInf;
  if (form.has("notanumber")) classes = llvm::fcNan;
  if (form.has("normal")) classes = llvm::fcNormal | llvm::fcZero;  // the ISA says so
  if (form.has("subnormal")) classes = llvm::fcSubnormal;
  e.write(form.operand(0), e.ir().createIsFPClass(value, classes));
}

}  // namespace xfer::kernels
