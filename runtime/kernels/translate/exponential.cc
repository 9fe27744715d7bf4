#include "kernels/translate/exponential.h"

#include <llvm/IR/Intrinsics.h>

#include <cstdint>
#include <initializer_list>

namespace xfer::kernels {
namespace {

constexpr unsigned kMantissa = 52;  // bits of a double's
/// Added to a small number it leaves the nearest integer in the lowest bits.
constexpr double kToInteger = 0x1.8p52;
constexpr std::uint64_t kToIntegerBits = 0x4338000000000000;

class Doubles {
 public:
  explicit Doubles(llvm::IRBuilderBase& ir) : ir_(ir) {}

  llvm::Value* number(double value) const {
    return llvm::ConstantFP::get(ir_.getDoubleTy(), value);
  }
  llvm::Value* bits(llvm::Value* value) const { return ir_.CreateBitCast(value, ir_.getInt64Ty()); }
  llvm::Value* of_bits(llvm::Value* bits) const {
    return ir_.CreateBitCast(bits, ir_.getDoubleTy());
  }
  llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c) const {
    return ir_.CreateIntrinsic(llvm::Intrinsic::fma, {ir_.getDoubleTy()}, {a, b, c});
  }
  /// The coefficient of the highest power comes first.
  llvm::Value* polynomial(llvm::Value* x, std::initializer_list<double> coefficients) const {
    llvm::Value* sum = nullptr;
    for (const double coefficient : coefficients)
      sum = sum == nullptr ? number(coefficient) : fma(sum, x, number(coefficient));
    return sum;
  }

 private:
  llvm::IRBuilderBase& ir_;
};

}  // namespace

llvm::Value* emit_exp2(llvm::IRBuilderBase& ir, llvm::Value* power) {
  constexpr double kMost = 160;  // what a float can be is far within
  const Doubles doubles(ir);
  llvm::Value* x = ir.CreateFPExt(power, ir.getDoubleTy());
  const auto limited = [&](llvm::CmpInst::Predicate beyond, double limit) {
    return ir.CreateSelect(ir.CreateFCmp(beyond, x, doubles.number(limit)), doubles.number(limit),
                           x);
  };
  x = limited(llvm::CmpInst::FCMP_OLT, -kMost);
  x = limited(llvm::CmpInst::FCMP_OGT, kMost);
  llvm::Value* shifted = ir.CreateFAdd(x, doubles.number(kToInteger));
  llvm::Value* whole = ir.CreateFSub(shifted, doubles.number(kToInteger));
  // Of what is left, between -1/2 and 1/2: a relative error of 6e-11.
  llvm::Value* part = doubles.polynomial(
      ir.CreateFSub(x, whole),
      {0x1.00dc4c8772621p-16, 0x1.446c7dc4a4d0ap-13, 0x1.5d8745a361d4dp-10, 0x1.3b29d8b54c796p-7,
       0x1.c6b08dd700d7fp-5, 0x1.ebfbe0aa0c7ebp-3, 0x1.62e42fef84cd0p-1, 0x1.ffffffffa70c0p-1});
  llvm::Value* scaled =
      ir.CreateAdd(doubles.bits(part), ir.CreateShl(doubles.bits(shifted), kMantissa));
  llvm::Value* result = ir.CreateFPTrunc(doubles.of_bits(scaled), power->getType());
  return ir.CreateSelect(ir.CreateFCmpUNO(power, power), power, result);
}

llvm::Value* emit_log2(llvm::IRBuilderBase& ir, llvm::Value* value) {
  constexpr std::uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd;
  const Doubles doubles(ir);
  llvm::Type* type = value->getType();
  llvm::Value* bits = doubles.bits(ir.CreateFPExt(value, ir.getDoubleTy()));
  // value = z * 2^exponent, with z between the root of 1/2 and that of 2.
  llvm::Value* exponent = ir.CreateAShr(ir.CreateSub(bits, ir.getInt64(kRootOfHalf)), kMantissa);
  llvm::Value* z = doubles.of_bits(ir.CreateSub(bits, ir.CreateShl(exponent, kMantissa)));
  exponent = ir.CreateFSub(doubles.of_bits(ir.CreateAdd(exponent, ir.getInt64(kToIntegerBits))),
                           doubles.number(kToInteger));
  llvm::Value* s =
      ir.CreateFDiv(ir.CreateFSub(z, doubles.number(1)), ir.CreateFAdd(z, doubles.number(1)));
  // The series of the inverse hyperbolic tangent: a relative error of 3e-14.
  llvm::Value* series = doubles.polynomial(
      ir.CreateFMul(s, s), {0.28291117655654774, 0.3199049863985525, 0.4122092680770293,
                            0.5770779422279257, 0.9617966941137307, 2.885390081777852});
  llvm::Value* result = ir.CreateFPTrunc(doubles.fma(series, s, exponent), type);
  llvm::Value* zero = llvm::ConstantFP::get(type, 0);
  const auto replace_if = [&](llvm::CmpInst::Predicate is, llvm::Value* what, llvm::Value* then) {
    result = ir.CreateSelect(ir.CreateFCmp(is, value, what), then, result);
  };
  llvm::Value* infinity = llvm::ConstantFP::getInfinity(type);
  replace_if(llvm::CmpInst::FCMP_OEQ, infinity, infinity);
  replace_if(llvm::CmpInst::FCMP_OEQ, zero, llvm::ConstantFP::getInfinity(type, true));
  replace_if(llvm::CmpInst::FCMP_ULT, zero, llvm::ConstantFP::getNaN(type));
  return result;
}

}  // namespace xfer::kernels
