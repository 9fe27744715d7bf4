#include "kernels/translate/services.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <string>

#include "kernels/frame.h"
#include "kernels/translate/fixed_field.h"
#include "kernels/translate/high_product.h"
#include "kernels/translate/touch.h"

namespace xfer::kernels {
namespace {

constexpr std::string_view kStem = "service.";

constexpr const char* kReach = "reach";
constexpr const char* kTurn = "turn";

llvm::IRBuilder<> begin(llvm::Function& function) {
  function.setLinkage(llvm::Function::InternalLinkage);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
  return llvm::IRBuilder<>(llvm::BasicBlock::Create(function.getContext(), "", &function));
}

void define_reach(llvm::Function& function) {
  function.removeFnAttr(llvm::Attribute::Memory);
  llvm::IRBuilder<> ir = begin(function);
  llvm::Value* block = fixed_field(ir, function.getArg(0), offsetof(Thread, block), ir.getPtrTy());
  llvm::Value* base = fixed_field(ir, block, offsetof(Block, device_base), ir.getInt64Ty());
  llvm::Value* span = fixed_field(ir, block, offsetof(Block, device_span), ir.getInt64Ty());
  ir.CreateRet(ir.CreateIntToPtr(reached(ir, function.getArg(1), base, span), ir.getPtrTy()));
}

void define_turn(llvm::Function& function) {
  llvm::LLVMContext& context = function.getContext();
  llvm::IRBuilder<> ir = begin(function);
  llvm::Value* thread = function.getArg(0);
  llvm::Value* patience = ir.CreateConstGEP1_64(ir.getInt8Ty(), thread, offsetof(Thread, patience));
  llvm::Value* left = ir.CreateSub(ir.CreateLoad(ir.getInt32Ty(), patience), ir.getInt32(1));
  ir.CreateStore(left, patience);
  auto* tired = llvm::BasicBlock::Create(context, "tired", &function);
  auto* on = llvm::BasicBlock::Create(context, "", &function);
  ir.CreateCondBr(ir.CreateICmpEQ(left, ir.getInt32(0)), tired, on);
  ir.SetInsertPoint(tired);
  ir.CreateCall(service_function(*function.getParent(), offsetof(Services, yield),
                                 function.getFunctionType()),
                {thread});
  ir.CreateBr(on);
  ir.SetInsertPoint(on);
  ir.CreateRetVoid();
}

void define(llvm::Function& function, std::size_t offset) {
  llvm::IRBuilder<> ir = begin(function);
  llvm::Value* block = fixed_field(ir, function.getArg(0), offsetof(Thread, block), ir.getPtrTy());
  llvm::Value* services = fixed_field(ir, block, offsetof(Block, services), ir.getPtrTy());
  llvm::Value* target = fixed_field(ir, services, offset, ir.getPtrTy());
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : function.args()) arguments.push_back(&argument);
  llvm::CallInst* result = ir.CreateCall(function.getFunctionType(), target, arguments);
  result->setTailCallKind(llvm::CallInst::TCK_NoTail);  // where it returns to says who asked
  if (function.getReturnType()->isVoidTy())
    ir.CreateRetVoid();
  else
    ir.CreateRet(result);
}

}  // namespace

llvm::Function* service_function(llvm::Module& module, std::size_t offset,
                                 llvm::FunctionType* type) {
  const std::string name = std::string(kStem) + std::to_string(offset);
  auto* function = llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
  // Threads that meet in it must not be led there by other ways.
  function->setConvergent();
  function->setDoesNotThrow();
  return function;
}

std::optional<std::size_t> service_of(const llvm::Function& function) {
  llvm::StringRef name = function.getName();
  std::size_t offset = 0;
  if (!name.consume_front(kStem) || name.getAsInteger(10, offset)) return std::nullopt;
  return offset;
}

llvm::Function* reach_function(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::getUnqual(context);
  auto* function = llvm::cast<llvm::Function>(
      module
          .getOrInsertFunction(
              kReach,
              llvm::FunctionType::get(pointer, {pointer, llvm::Type::getInt64Ty(context)}, false))
          .getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(llvm::Attribute::Speculatable);
  return function;
}

bool is_reach(const llvm::Value* value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  return call != nullptr && call->getCalledFunction() != nullptr &&
         call->getCalledFunction()->getName() == kReach;
}

llvm::Function* turn_function(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                       {llvm::PointerType::getUnqual(context)}, false);
  auto* function = llvm::cast<llvm::Function>(module.getOrInsertFunction(kTurn, type).getCallee());
  function->setConvergent();
  function->setDoesNotThrow();
  return function;
}

bool is_turn(const llvm::Value* value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  return call != nullptr && call->getCalledFunction() != nullptr &&
         call->getCalledFunction()->getName() == kTurn;
}

llvm::Value* reached(llvm::IRBuilderBase& ir, llvm::Value* address, llvm::Value* base,
                     llvm::Value* span) {
  llvm::Value* on_device = ir.CreateICmpULT(ir.CreateSub(address, base), span);
  return ir.CreateSelect(on_device, ir.CreateAdd(address, span), address);
}

void lower_block_atomics(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        if (exchange->getSyncScopeID() == llvm::SyncScope::SingleThread)
          llvm::lowerAtomicCmpXchgInst(exchange);
      } else if (auto* change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        if (change->getSyncScopeID() == llvm::SyncScope::SingleThread)
          llvm::lowerAtomicRMWInst(change);
      }
    }
}

void define_services(llvm::Module& module) {
  if (llvm::Function* reach = module.getFunction(kReach)) define_reach(*reach);
  define_touch(module);
  define_high_products(module, ProductBy::kWideRegister);
  if (llvm::Function* turn = module.getFunction(kTurn); turn != nullptr && turn->isDeclaration())
    define_turn(*turn);
  for (llvm::Function& function : module)
    if (const auto offset = service_of(function); offset && function.isDeclaration())
      define(function, *offset);
}

}  // namespace xfer::kernels
