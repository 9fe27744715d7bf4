// Floats as instructions take and give them: flushed, rounded, in bf16.

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include <limits>
#include <string>
#include <utility>

#include "kernels/translate/floating.h"

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

/// Whether `.ftz` flushes values of the type: in cvt it is about f32 alone.
bool flushes(const Form& form, ptx::Type type) {
  return form.has("ftz") && (form.instruction().operation != "cvt" || type.bits == 32);
}

llvm::Constant* bits_like(llvm::Value* model, std::uint64_t value) {
  return llvm::ConstantInt::get(model->getType(), value);
}

}  // namespace

llvm::Type* in_lanes_of(llvm::Value* value, llvm::Type* type) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return vector == nullptr ? type : llvm::FixedVectorType::get(type, vector->getNumElements());
}

llvm::Value* widened(Emitter& e, llvm::Value* value, llvm::Type* type) {
  return e.ir().CreateFPExt(value, in_lanes_of(value, type));
}

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

llvm::Value* nan_without(Emitter& e, unsigned lowest, llvm::Value* value) {
  auto& ir = e.ir();
  llvm::Value* bits =
      ir.CreateBitCast(value, e.integer(value->getType()->getPrimitiveSizeInBits()));
  bits = ir.CreateAnd(bits, bits_like(bits, ~std::uint64_t{0} << lowest));
  return ir.CreateSelect(ir.CreateFCmpUNO(value, value), ir.CreateBitCast(bits, value->getType()),
                         value);
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

}  // namespace xfer::kernels
