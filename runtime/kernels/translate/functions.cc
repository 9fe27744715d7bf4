// Functions of one float. The approximate ones give the nearest float, or nearly so: a device's may
// differ in the last bits.

#include <llvm/IR/Intrinsics.h>

#include "kernels/translate/exponential.h"
#include "kernels/translate/floating.h"
#include "kernels/translate/instructions.h"

namespace xfer::kernels {
namespace {

/// By a function of f32, whatever the type; a pair half by half.
template <typename Function>
void emit_by(Emitter& e, const Form& form, Function function) {
  auto& ir = e.ir();
  e.unit().note_approximate(std::string(form.instruction().operation) + ".approx");
  llvm::Value* value = float_operand(e, form, 1, form.type());
  const auto one = [&](llvm::Value* part) {
    llvm::Value* wide = ir.CreateFPCast(part, ir.getFloatTy());
    return ir.CreateFPCast(function(wide), part->getType());
  };
  if (!value->getType()->isVectorTy()) return write_float(e, form, one(value));
  for (std::uint64_t lane = 0; lane < form.type().lanes; ++lane)
    value = ir.CreateInsertElement(value, one(ir.CreateExtractElement(value, lane)), lane);
  write_float(e, form, value);
}

void emit_by_library(Emitter& e, const Form& form, const char* name) {
  emit_by(e, form, [&](llvm::Value* value) { return e.call(name, value->getType(), {value}); });
}

/// Of an f64, `.approx` gives the upper half of the bits alone.
llvm::Value* coarse(Emitter& e, const Form& form, llvm::Value* value) {
  if (!form.has("approx")) return value;
  e.unit().note_approximate(std::string(form.instruction().operation) + ".approx");
  if (form.type().bits != 64) return value;
  llvm::Value* bits = e.ir().CreateBitCast(value, e.integer(64));
  bits = e.ir().CreateAnd(bits, e.constant(64, 0xFFFFFFFF00000000));
  return e.ir().CreateBitCast(bits, value->getType());
}

/// A NaN of low bits alone is an infinity to `.approx.ftz` of an f64, which sees the upper half.
llvm::Value* operand_by_halves(Emitter& e, const Form& form) {
  llvm::Value* value = float_operand(e, form, 1, form.type());
  return form.type().bits == 64 && form.has("ftz") ? nan_without(e, 32, value) : value;
}

}  // namespace

void emit_rcp(Emitter& e, const Form& form) {
  llvm::Value* value = operand_by_halves(e, form);
  llvm::Value* one = e.constant_like(value, 1.0);
  llvm::Value* result = rounding_of(form) != 0 ? rounded(e, form, "div", {one, value})
                                               : e.ir().CreateFDiv(one, value);
  write_float(e, form, coarse(e, form, result));
}

void emit_sqrt(Emitter& e, const Form& form) {
  llvm::Value* value = float_operand(e, form, 1, form.type());
  if (form.has("approx")) e.unit().note_approximate("sqrt.approx");
  write_float(e, form,
              rounding_of(form) != 0 ? rounded(e, form, "sqrt", {value})
                                     : e.ir().CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, value));
}

void emit_rsqrt(Emitter& e, const Form& form) {
  llvm::Value* value = operand_by_halves(e, form);
  llvm::Type* type = value->getType();
  // In double, so that an f32 is rounded once.
  llvm::Value* wide = e.ir().CreateFPCast(value, e.ir().getDoubleTy());
  llvm::Value* root = e.ir().CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, wide);
  llvm::Value* result =
      e.ir().CreateFPCast(e.ir().CreateFDiv(e.constant_like(root, 1.0), root), type);
  // nvcc writes rsqrt.approx.f64 (no .ftz) for the function of full precision.
  e.unit().note_approximate("rsqrt.approx");
  write_float(e, form, form.has("ftz") ? coarse(e, form, result) : result);
}

void emit_sin(Emitter& e, const Form& form) { emit_by_library(e, form, "xfer_sin_f32"); }
void emit_cos(Emitter& e, const Form& form) { emit_by_library(e, form, "xfer_cos_f32"); }
void emit_tanh(Emitter& e, const Form& form) { emit_by_library(e, form, "xfer_tanh_f32"); }

void emit_lg2(Emitter& e, const Form& form) {
  emit_by(e, form, [&](llvm::Value* value) { return emit_log2(e.ir(), value); });
}

void emit_ex2(Emitter& e, const Form& form) {
  emit_by(e, form, [&](llvm::Value* value) { return emit_exp2(e.ir(), value); });
}

}  // namespace xfer::kernels
