// Directed rounding of f32, without another rounding mode of the CPU: that is slow to change, and
// no vector has one of its own.

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "kernels/translate/floating.h"

namespace xfer::kernels {

llvm::Value* odd_sum(Emitter& e, llvm::Value* a, llvm::Value* b) {
  auto& ir = e.ir();
  llvm::Value* sum = ir.CreateFAdd(a, b);
  // Taking the sum apart again gives the part that it loses.
  llvm::Value* second = ir.CreateFSub(sum, a);
  llvm::Value* lost =
      ir.CreateFAdd(ir.CreateFSub(a, ir.CreateFSub(sum, second)), ir.CreateFSub(b, second));
  return odd_where(e, sum, lost);
}

llvm::Value* directed(Emitter& e, unsigned how, llvm::Value* a, llvm::Value* b) {
  auto& ir = e.ir();
  llvm::Value* exact = b == nullptr ? a : odd_sum(e, a, b);
  llvm::Type* single = in_lanes_of(exact, ir.getFloatTy());
  llvm::Type* word = in_lanes_of(exact, e.integer(32));
  const auto bits_of = [&](llvm::Value* value) { return ir.CreateBitCast(value, word); };
  llvm::Value* near = ir.CreateFPTrunc(exact, single);
  llvm::Value* back = ir.CreateFPExt(near, exact->getType());
  llvm::Value* bits = bits_of(near);
  llvm::Value* negative = ir.CreateICmpSLT(bits, llvm::Constant::getNullValue(word));
  llvm::Value* inwards = ir.CreateSub(bits, llvm::ConstantInt::get(word, 1));
  llvm::Value* outwards = ir.CreateAdd(bits, llvm::ConstantInt::get(word, 1));
  llvm::Value* wrong = nullptr;  // the nearest is on the other side
  llvm::Value* next = nullptr;
  switch (how) {
    case 1:
      wrong = ir.CreateFCmpOGT(ir.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, back),
                               ir.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, exact));
      next = inwards;
      break;
    case 2:
      wrong = ir.CreateFCmpOGT(back, exact);
      next = ir.CreateSelect(negative, outwards, inwards);
      break;
    default:
      wrong = ir.CreateFCmpOLT(back, exact);
      next = ir.CreateSelect(negative, inwards, outwards);
  }
  llvm::Value* result = ir.CreateBitCast(ir.CreateSelect(wrong, next, bits), single);
  if (how != 2 || b == nullptr) return result;
  // Downwards what cancels is -0.
  llvm::Type* wide = in_lanes_of(exact, e.integer(64));
  llvm::Value* signs = ir.CreateOr(ir.CreateBitCast(a, wide), ir.CreateBitCast(b, wide));
  llvm::Value* cancels = ir.CreateAnd(ir.CreateFCmpOEQ(exact, e.constant_like(exact, 0.0)),
                                      ir.CreateICmpSLT(signs, llvm::Constant::getNullValue(wide)));
  return ir.CreateSelect(cancels, e.constant_like(result, -0.0), result);
}

}  // namespace xfer::kernels
