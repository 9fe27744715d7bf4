#include "kernels/translate/touch.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Intrinsics.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/frame.h"
#include "kernels/touch_marks.h"
#include "kernels/translate/fixed_field.h"
#include "kernels/translate/services.h"

namespace xfer::kernels {
namespace {

constexpr const char* kTouch = "touch";

struct Access {
  llvm::Instruction* at;
  llvm::CallInst* reach;  ///< that made its pointer
  std::uint64_t offset;   ///< from there
  std::uint64_t bytes;
  bool reads;
  bool writes;
};

llvm::Function* touch_function(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  auto* const number = llvm::Type::getInt64Ty(context);
  auto* const type = llvm::FunctionType::get(
      llvm::Type::getVoidTy(context),
      {llvm::PointerType::getUnqual(context), number, number, llvm::Type::getInt1Ty(context)},
      false);
  auto* const function =
      llvm::cast<llvm::Function>(module.getOrInsertFunction(kTouch, type).getCallee());
  function->setOnlyAccessesInaccessibleMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return function;
}

bool is_of_textures(std::size_t service) {
  return service == offsetof(Services, read_texture) ||
         service == offsetof(Services, read_surface) ||
         service == offsetof(Services, write_surface);
}

/// Of cp.async, which may read fewer; null: it is another call.
const llvm::ConstantInt* bytes_of_async_copy(const llvm::CallInst& call) {
  const llvm::Function* const callee = call.getCalledFunction();
  if (callee == nullptr) return nullptr;
  if (callee->getName() == "xfer_copy_padded")
    return llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(3));
  return callee->getIntrinsicID() == llvm::Intrinsic::memcpy
             ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2))
             : nullptr;
}

/// The code's accesses through pointers to device memory.
class Accesses {
 public:
  explicit Accesses(llvm::Module& module) : layout_(module.getDataLayout()) {
    for (llvm::Function& function : module)
      for (llvm::Instruction& instruction : llvm::instructions(function)) visit(instruction);
  }

  bool all() const { return all_; }
  const std::vector<Access>& list() const { return list_; }

 private:
  void visit(llvm::Instruction& instruction) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call == nullptr) return;
    if (is_reach(call)) return follow(*call, *call, 0);
    if (const llvm::Function* const callee = call->getCalledFunction())
      if (const auto service = service_of(*callee); service && is_of_textures(*service))
        all_ = false;
  }

  void follow(llvm::CallInst& reach, llvm::Value& pointer, std::uint64_t offset) {
    for (llvm::Use& use : pointer.uses()) {
      auto& user = llvm::cast<llvm::Instruction>(*use.getUser());
      if (auto* const step = llvm::dyn_cast<llvm::GetElementPtrInst>(&user)) {
        llvm::APInt constant(64, offset);
        if (step->accumulateConstantOffset(layout_, constant))
          follow(reach, *step, constant.getZExtValue());
        else
          all_ = false;
      } else if (const auto access = access_of(reach, user, use.getOperandNo(), offset)) {
        list_.push_back(*access);
      } else {
        all_ = false;
      }
    }
  }

  std::optional<Access> access_of(llvm::CallInst& reach, llvm::Instruction& user, unsigned operand,
                                  std::uint64_t offset) const {
    const auto made = [&](llvm::Type* type, bool reads, bool writes) {
      return Access{&user, &reach, offset, layout_.getTypeStoreSize(type), reads, writes};
    };
    if (llvm::isa<llvm::LoadInst>(user)) return made(user.getType(), true, false);
    if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&user)) {
      if (operand != llvm::StoreInst::getPointerOperandIndex()) return std::nullopt;
      return made(store->getValueOperand()->getType(), false, true);
    }
    if (auto* const change = llvm::dyn_cast<llvm::AtomicRMWInst>(&user))
      return made(change->getValOperand()->getType(), true, true);
    if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&user))
      return made(exchange->getCompareOperand()->getType(), true, true);
    if (const auto* const copy = llvm::dyn_cast<llvm::CallInst>(&user);
        copy != nullptr && operand == 1)
      if (const auto* const bytes = bytes_of_async_copy(*copy))
        return Access{&user, &reach, offset, bytes->getZExtValue(), true, false};
    return std::nullopt;
  }

  const llvm::DataLayout& layout_;
  bool all_ = true;
  std::vector<Access> list_;
};

}  // namespace

bool insert_touches(llvm::Module& module) {
  const Accesses accesses(module);
  if (!accesses.all()) return false;
  for (const Access& access : accesses.list()) {
    llvm::IRBuilder<> ir(access.at);
    llvm::Value* address = access.reach->getArgOperand(1);
    if (access.offset != 0) address = ir.CreateAdd(address, ir.getInt64(access.offset));
    for (const bool writes : {false, true})
      if (writes ? access.writes : access.reads)
        ir.CreateCall(touch_function(module), {access.reach->getArgOperand(0), address,
                                               ir.getInt64(access.bytes), ir.getInt1(writes)});
  }
  return true;
}

bool is_touch(const llvm::Value* value) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(value);
  return call != nullptr && call->getCalledFunction() != nullptr &&
         call->getCalledFunction()->getName() == kTouch;
}

namespace {

/// As mark_bytes in touch_marks.h, of one access: it lies in one word, or is of whole words.
void write_marks(llvm::IRBuilder<>& ir, llvm::Value* marks, llvm::Value* offset,
                 llvm::Value* bytes) {
  llvm::Function* const function = ir.GetInsertBlock()->getParent();
  const auto block = [&] { return llvm::BasicBlock::Create(function->getContext(), "", function); };
  llvm::BasicBlock* const words = block();
  llvm::BasicBlock* const part = block();
  llvm::BasicBlock* const news = block();
  llvm::BasicBlock* const end = block();
  const auto number = [&](std::uint64_t value) { return ir.getInt64(value); };
  llvm::Value* const at =
      ir.CreateGEP(ir.getInt8Ty(), marks, ir.CreateUDiv(offset, number(kMarkedWord)));
  ir.CreateCondBr(ir.CreateICmpEQ(ir.CreateURem(bytes, number(kMarkedWord)), number(0)), words,
                  part);
  ir.SetInsertPoint(words);
  ir.CreateMemSet(at, ir.getInt8(kWholeWord), ir.CreateUDiv(bytes, number(kMarkedWord)),
                  llvm::MaybeAlign(1));
  ir.CreateBr(end);
  ir.SetInsertPoint(part);
  llvm::Value* bits = ir.CreateSub(ir.CreateShl(number(1), bytes), number(1));
  bits = ir.CreateShl(bits, ir.CreateURem(offset, number(kMarkedWord)));
  bits = ir.CreateTrunc(bits, ir.getInt8Ty());
  llvm::LoadInst* const old = ir.CreateAlignedLoad(ir.getInt8Ty(), at, llvm::Align(1));
  old->setAtomic(llvm::AtomicOrdering::Monotonic);
  ir.CreateCondBr(ir.CreateICmpEQ(ir.CreateAnd(old, bits), bits), end, news);
  ir.SetInsertPoint(news);
  ir.CreateAtomicRMW(llvm::AtomicRMWInst::Or, at, bits, llvm::MaybeAlign(1),
                     llvm::AtomicOrdering::Monotonic);
  ir.CreateBr(end);
  ir.SetInsertPoint(end);
}

}  // namespace

/// Short where the memory is a device's, once the bytes are known.
void define_touch(llvm::Module& module) {
  llvm::Function* const function = module.getFunction(kTouch);
  if (function == nullptr) return;
  function->removeFnAttr(llvm::Attribute::Memory);
  function->setLinkage(llvm::Function::InternalLinkage);
  function->addFnAttr(llvm::Attribute::AlwaysInline);
  llvm::LLVMContext& context = module.getContext();
  const auto block = [&] { return llvm::BasicBlock::Create(context, "", function); };
  llvm::BasicBlock* const entry = block();
  llvm::BasicBlock* const on_device = block();
  llvm::BasicBlock* const elsewhere = block();
  llvm::IRBuilder<> ir(entry);
  llvm::Value* const thread = function->getArg(0);
  llvm::Value* const address = function->getArg(1);
  llvm::Value* const its_block = fixed_field(ir, thread, offsetof(Thread, block), ir.getPtrTy());
  const auto field = [&](std::size_t offset, llvm::Type* type) {
    return fixed_field(ir, its_block, offset, type);
  };
  llvm::Value* const offset =
      ir.CreateSub(address, field(offsetof(Block, device_base), ir.getInt64Ty()));
  ir.CreateCondBr(ir.CreateICmpULT(offset, field(offsetof(Block, device_span), ir.getInt64Ty())),
                  on_device, elsewhere);
  ir.SetInsertPoint(on_device);
  llvm::Value* const touches = field(offsetof(Block, touches), ir.getPtrTy());
  const auto plane = [&](std::size_t of) { return fixed_field(ir, touches, of, ir.getPtrTy()); };
  llvm::Value* const marks = ir.CreateSelect(function->getArg(3), plane(offsetof(Touches, writes)),
                                             plane(offsetof(Touches, reads)));
  write_marks(ir, marks, offset, function->getArg(2));
  llvm::Value* const page = ir.CreateLShr(offset, Touches::kPageBits);
  ir.CreateStore(ir.getInt8(1),
                 ir.CreateGEP(ir.getInt8Ty(), plane(offsetof(Touches, pages)), page));
  ir.CreateRetVoid();
  ir.SetInsertPoint(elsewhere);
  ir.CreateCall(module.getOrInsertFunction("xfer_touch_elsewhere", ir.getVoidTy(), ir.getPtrTy(),
                                           ir.getInt64Ty(), ir.getInt64Ty(), ir.getInt32Ty()),
                {its_block, address, function->getArg(2),
                 ir.CreateZExt(function->getArg(3), ir.getInt32Ty())});
  ir.CreateRetVoid();
}

}  // namespace xfer::kernels
