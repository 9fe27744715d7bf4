#include "kernels/translate/high_product.h"

#include <llvm/IR/Constants.h>

namespace xfer::kernels {
namespace {

constexpr const char* kUnsigned = "high_product.u64";
constexpr const char* kSigned = "high_product.s64";

llvm::Value* by_wide_register(llvm::IRBuilderBase& ir, llvm::Value* a, llvm::Value* b,
                              bool is_signed) {
  llvm::Type* wide = ir.getInt128Ty();
  const auto extended = [&](llvm::Value* value) {
    return is_signed ? ir.CreateSExt(value, wide) : ir.CreateZExt(value, wide);
  };
  llvm::Value* product = ir.CreateMul(extended(a), extended(b));
  return ir.CreateTrunc(ir.CreateLShr(product, 64), ir.getInt64Ty());
}

llvm::Value* by_halves(llvm::IRBuilderBase& ir, llvm::Value* a, llvm::Value* b, bool is_signed) {
  const auto low = [&](llvm::Value* value) { return ir.CreateAnd(value, 0xFFFFFFFF); };
  const auto high = [&](llvm::Value* value) { return ir.CreateLShr(value, 32); };
  llvm::Value* low_high = ir.CreateMul(low(a), high(b));
  llvm::Value* high_low = ir.CreateMul(high(a), low(b));
  llvm::Value* carried =
      ir.CreateAdd(ir.CreateAdd(high(ir.CreateMul(low(a), low(b))), low(low_high)), low(high_low));
  llvm::Value* product = ir.CreateAdd(ir.CreateAdd(ir.CreateMul(high(a), high(b)), high(low_high)),
                                      ir.CreateAdd(high(high_low), high(carried)));
  if (!is_signed) return product;
  // A negative number was taken for 2^64 more.
  llvm::Value* zero = ir.getInt64(0);
  const auto where_negative = [&](llvm::Value* value, llvm::Value* other) {
    return ir.CreateSelect(ir.CreateICmpSLT(value, zero), other, zero);
  };
  return ir.CreateSub(ir.CreateSub(product, where_negative(a, b)), where_negative(b, a));
}

}  // namespace

llvm::Value* high_product(llvm::IRBuilderBase& ir, llvm::Value* a, llvm::Value* b, bool is_signed) {
  llvm::Type* number = ir.getInt64Ty();
  llvm::Module* module = ir.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee = module->getOrInsertFunction(
      is_signed ? kSigned : kUnsigned, llvm::FunctionType::get(number, {number, number}, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(llvm::Attribute::Speculatable);
  return ir.CreateCall(callee, {a, b});
}

void define_high_products(llvm::Module& module, ProductBy how) {
  for (const bool is_signed : {false, true}) {
    llvm::Function* function = module.getFunction(is_signed ? kSigned : kUnsigned);
    if (function == nullptr || !function->isDeclaration()) continue;
    function->setLinkage(llvm::Function::InternalLinkage);
    function->addFnAttr(llvm::Attribute::AlwaysInline);
    llvm::IRBuilder<> ir(llvm::BasicBlock::Create(module.getContext(), "", function));
    const auto make = how == ProductBy::kHalves ? by_halves : by_wide_register;
    ir.CreateRet(make(ir, function->getArg(0), function->getArg(1), is_signed));
  }
}

}  // namespace xfer::kernels
