// Arithmetic on floats: f16, bf16, f32, f64 and pairs of them.

#include "kernels/translate/floating.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include <limits>
#include <string>

#include "kernels/translate/instructions.h"

namespace xfer::kernels {
namespace {

llvm::Value* flushed(Emitter& e, llvm::Value* value) {
  auto& ir = e.ir();
  if (!value->getType()->getScalarType()->isFloatTy() &&
      !value->getType()->getScalarType()->isHalfTy())
    return value;
  const double least = value->getType()->getScalarType()->isFloatTy()
                           ? double{std::numeric_limits<float>::min()}
                           : 0x1p-14;
  llvm::Value* size = ir.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
  llvm::Value* zero =
      ir.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, e.constant_like(value, 0.0), value);
  return ir.CreateSelect(ir.CreateFCmpOLT(size, e.constant_like(value, least)), zero, value);
}

bool is_brain(llvm::Value* value) { return value->getType()->getScalarType()->isBFloatTy(); }

/// The type, in as many lanes as the value has.
llvm::Type* in_lanes_of(llvm::Value* value, llvm::Type* type) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return vector == nullptr ? type : llvm::FixedVectorType::get(type, vector->getNumElements());
}

llvm::Value* widened(Emitter& e, llvm::Value* value, llvm::Type* type) {
  return e.ir().CreateFPExt(value, in_lanes_of(value, type));
}

/// Whether `.ftz` flushes values of the type: in cvt it is about f32 alone.
bool flushes(const Form& form, ptx::Type type) {
  return form.has("ftz") && (form.instruction().operation != "cvt" || type.bits == 32);
}

llvm::Constant* bits_like(llvm::Value* model, std::uint64_t value) {
  return llvm::ConstantInt::get(model->getType(), value);
}

/// `whole` where the rest is 0; else of the two numbers around whole + rest the odd one, which
/// another rounding does not take for a tie.
llvm::Value* odd_where(Emitter& e, llvm::Value* whole, llvm::Value* rest) {
  auto& ir = e.ir();
  llvm::Type* wide =
      in_lanes_of(whole, e.integer(static_cast<unsigned>(whole->getType()->getScalarSizeInBits())));
  llvm::Value* bits = ir.CreateBitCast(whole, wide);
  llvm::Value* zero = e.constant_like(rest, 0.0);
  llvm::Value* inwards =
      ir.CreateXor(ir.CreateFCmpOLT(rest, zero), ir.CreateICmpSLT(bits, bits_like(bits, 0)));
  llvm::Value* odd =
      ir.CreateOr(ir.CreateSub(bits, ir.CreateZExt(inwards, wide)), bits_like(bits, 1));
  return ir.CreateBitCast(ir.CreateSelect(ir.CreateFCmpONE(rest, zero), odd, bits),
                          whole->getType());
}

/// a * b + c of f16 or bf16, in doubles, so that it is rounded once.
llvm::Value* fused_wide(Emitter& e, llvm::Value* a, llvm::Value* b, llvm::Value* c) {
  auto& ir = e.ir();
  llvm::Value* product =
      ir.CreateFMul(widened(e, a, ir.getDoubleTy()), widened(e, b, ir.getDoubleTy()));
  llvm::Value* addend = widened(e, c, ir.getDoubleTy());
  // The product is exact; what the sum loses is found by taking it apart again.
  llvm::Value* sum = ir.CreateFAdd(product, addend);
  llvm::Value* second = ir.CreateFSub(sum, product);
  llvm::Value* lost = ir.CreateFAdd(ir.CreateFSub(product, ir.CreateFSub(sum, second)),
                                    ir.CreateFSub(addend, second));
  return odd_where(e, sum, lost);
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
  if (rounding_of(form) != 0) return rounded(e, form, "fma", {a, b, c});
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

/// By its bits, or LLVM would compute in bf16 what fits into it.
llvm::Value* from_brain(Emitter& e, llvm::Value* value) {
  auto& ir = e.ir();
  llvm::Value* bits = ir.CreateBitCast(value, in_lanes_of(value, e.integer(16)));
  bits = ir.CreateZExt(bits, in_lanes_of(value, e.integer(32)));
  return ir.CreateBitCast(ir.CreateShl(bits, llvm::ConstantInt::get(bits->getType(), 16)),
                          in_lanes_of(value, ir.getFloatTy()));
}

llvm::Value* float_operand(Emitter& e, const Form& form, std::size_t n, ptx::Type type) {
  llvm::Value* value = e.read_float(form.operand(n), type);
  if (is_brain(value)) value = from_brain(e, value);
  return flushes(form, type) ? flushed(e, value) : value;
}

llvm::Value* to_brain(Emitter& e, llvm::Value* value) {
  auto& ir = e.ir();
  if (value->getType()->getScalarType()->isDoubleTy()) {
    llvm::Value* single = ir.CreateFPTrunc(value, in_lanes_of(value, ir.getFloatTy()));
    llvm::Value* rest = ir.CreateFSub(value, ir.CreateFPExt(single, value->getType()));
    value = odd_where(e, single, rest);
  }
  llvm::Value* bits = ir.CreateBitCast(value, in_lanes_of(value, e.integer(32)));
  llvm::Value* upper = ir.CreateLShr(bits, bits_like(bits, 16));
  llvm::Value* half =
      ir.CreateAdd(ir.CreateAnd(upper, bits_like(bits, 1)), bits_like(bits, 0x7FFF));
  llvm::Value* nearest = ir.CreateLShr(ir.CreateAdd(bits, half), bits_like(bits, 16));
  nearest = ir.CreateSelect(ir.CreateFCmpUNO(value, value), bits_like(bits, 0x7FFF), nearest);
  return ir.CreateBitCast(ir.CreateTrunc(nearest, in_lanes_of(value, e.integer(16))),
                          in_lanes_of(value, ir.getBFloatTy()));
}

void write_float(Emitter& e, const Form& form, llvm::Value* value) {
  auto& ir = e.ir();
  const bool brain = form.type().kind == ptx::Type::Kind::kBrain;
  if (is_brain(value)) value = from_brain(e, value);
  if (flushes(form, form.type())) value = flushed(e, value);
  if (form.has("sat") || form.has("relu"))
    value = ir.CreateBinaryIntrinsic(
        form.has("sat") ? llvm::Intrinsic::maximumnum : llvm::Intrinsic::maximum, value,
        e.constant_like(value, 0.0));
  if (form.has("sat"))
    value =
        ir.CreateBinaryIntrinsic(llvm::Intrinsic::minimumnum, value, e.constant_like(value, 1.0));
  e.write(form.operand(0), brain ? to_brain(e, value) : value);
}

unsigned rounding_of(const Form& form) {
  return form.has("rz") ? 1 : form.has("rm") ? 2 : form.has("rp") ? 3 : 0;
}

llvm::Value* rounded(Emitter& e, const Form& form, const char* name,
                     std::vector<llvm::Value*> arguments) {
  llvm::Type* type = arguments[0]->getType();
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    llvm::Value* result = arguments[0];
    for (std::uint64_t lane = 0; lane < vector->getNumElements(); ++lane) {
      std::vector<llvm::Value*> parts;
      for (llvm::Value* argument : arguments)
        parts.push_back(e.ir().CreateExtractElement(argument, lane));
      result = e.ir().CreateInsertElement(result, rounded(e, form, name, std::move(parts)), lane);
    }
    return result;
  }
  if (!type->isFloatTy() && !type->isDoubleTy()) form.refuse("in this rounding cannot be run");
  const std::string full = std::string("xfer_") + name + (type->isFloatTy() ? "_f32" : "_f64");
  arguments.push_back(e.constant(32, rounding_of(form)));
  return e.call(full.c_str(), type, std::move(arguments));
}

void emit_add_float(Emitter& e, const Form& form, bool minus) {
  // `add.f32.bf16`: the first operand is of the second type.
  llvm::Value* a = float_operand(e, form, 1, form.type(form.type_count() - 1));
  llvm::Value* b = float_operand(e, form, 2, form.type());
  if (a->getType() != b->getType()) a = widened(e, a, b->getType()->getScalarType());
  if (minus) b = e.ir().CreateFNeg(b);
  write_float(e, form,
              rounding_of(form) != 0 ? rounded(e, form, "add", {a, b}) : e.ir().CreateFAdd(a, b));
}

void emit_mul_float(Emitter& e, const Form& form) {
  llvm::Value* a = float_operand(e, form, 1, form.type());
  llvm::Value* b = float_operand(e, form, 2, form.type());
  write_float(e, form,
              rounding_of(form) != 0 ? rounded(e, form, "mul", {a, b}) : e.ir().CreateFMul(a, b));
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
