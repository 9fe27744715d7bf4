#include "kernels/warp/scattered.h"

#include <llvm/IR/IRBuilder.h>

#include <string>

#include "kernels/translate/services.h"
#include "kernels/warp_frame.h"

namespace xfer::kernels {
namespace {

llvm::FixedVectorType* wide(llvm::Type* type) { return llvm::FixedVectorType::get(type, kLanes); }

/// All lanes by one instruction, or as few as the CPU has for it.
void emit_at_once(llvm::IRBuilder<>& ir, llvm::Function& function, llvm::Type* type,
                  std::uint64_t bytes, bool stores) {
  llvm::Value* addresses = ir.CreateLoad(wide(ir.getInt64Ty()), function.getArg(0));
  const auto splat = [&](unsigned n) { return ir.CreateVectorSplat(kLanes, function.getArg(n)); };
  addresses = reached(ir, addresses, splat(2), splat(3));
  llvm::Value* pointers = ir.CreateIntToPtr(addresses, wide(ir.getPtrTy()));
  llvm::Value* mask = ir.CreateBitCast(function.getArg(1), wide(ir.getInt1Ty()));
  const llvm::Align align(bytes);
  llvm::Value* memory = function.getArg(4);
  if (stores)
    ir.CreateMaskedScatter(ir.CreateLoad(wide(type), memory), pointers, align, mask);
  else
    ir.CreateStore(ir.CreateMaskedGather(wide(type), pointers, align, mask,
                                         llvm::Constant::getNullValue(wide(type))),
                   memory);
  ir.CreateRetVoid();
}

/// Lane by lane: of what the CPU has no instruction for.
void emit_loop(llvm::IRBuilder<>& ir, llvm::Function& function, llvm::Type* type,
               std::uint64_t bytes, bool stores) {
  llvm::BasicBlock* entry = ir.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(ir.getContext(), "lane", &function);
  auto* done = llvm::BasicBlock::Create(ir.getContext(), "", &function);
  ir.CreateBr(loop);  // there is a lane
  ir.SetInsertPoint(loop);
  auto* left = ir.CreatePHI(ir.getInt32Ty(), 2);
  left->addIncoming(function.getArg(1), entry);
  llvm::Value* lane = ir.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, ir.getTrue());
  llvm::Value* address =
      ir.CreateLoad(ir.getInt64Ty(), ir.CreateGEP(ir.getInt64Ty(), function.getArg(0), lane));
  llvm::Value* pointer = ir.CreateIntToPtr(
      reached(ir, address, function.getArg(2), function.getArg(3)), ir.getPtrTy());
  llvm::Value* value = ir.CreateGEP(type, function.getArg(4), lane);
  llvm::Value* from = stores ? value : pointer;
  llvm::Value* to = stores ? pointer : value;
  ir.CreateAlignedStore(ir.CreateAlignedLoad(type, from, llvm::Align(bytes)), to,
                        llvm::Align(bytes));
  llvm::Value* rest = ir.CreateAnd(left, ir.CreateSub(left, ir.getInt32(1)));
  left->addIncoming(rest, loop);
  ir.CreateCondBr(ir.CreateICmpEQ(rest, ir.getInt32(0)), done, loop);
  ir.SetInsertPoint(done);
  ir.CreateRetVoid();
}

}  // namespace

llvm::Function* scattered_access(llvm::Module& module, llvm::Type* type, bool stores) {
  const std::uint64_t bytes = module.getDataLayout().getTypeStoreSize(type);
  const std::string name = std::string(stores ? "scatter." : "gather.") + std::to_string(bytes) +
                           (type->isFloatingPointTy() ? ".f" : "") +
                           (type->isBFloatTy() ? "b" : "") + (type->isPointerTy() ? ".p" : "");
  if (llvm::Function* made = module.getFunction(name)) return made;
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::getUnqual(context);
  llvm::Type* number = llvm::Type::getInt64Ty(context);
  auto* function = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                              {pointer, llvm::Type::getInt32Ty(context), number, number, pointer},
                              false),
      llvm::Function::InternalLinkage, name, module);
  function->addFnAttr(llvm::Attribute::NoInline);
  function->setDoesNotThrow();
  llvm::IRBuilder<> ir(llvm::BasicBlock::Create(context, "", function));
  if (bytes >= 4 && !type->isPointerTy())
    emit_at_once(ir, *function, type, bytes, stores);
  else
    emit_loop(ir, *function, type, bytes, stores);
  return function;
}

}  // namespace xfer::kernels
