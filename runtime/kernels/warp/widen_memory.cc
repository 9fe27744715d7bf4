// Loads and stores of a warp. Lanes that touch consecutive places, all of them or sixteen by
// sixteen, do so at once; others by gather and scatter, or one by one.

#include <llvm/IR/Constants.h>

#include <algorithm>

#include "kernels/frame.h"
#include "kernels/translate/services.h"
#include "kernels/warp/scattered.h"
#include "kernels/warp/widener.h"
#include "kernels/warp_frame.h"

namespace xfer::kernels {
namespace {

constexpr unsigned kHalf = kLanes / 2;

/// Whether every element of a vector of i1 is set.
llvm::Value* all_of(llvm::IRBuilder<>& ir, llvm::Value* vector) {
  const auto count = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  return ir.CreateICmpEQ(ir.CreateBitCast(vector, ir.getIntNTy(count)),
                         llvm::ConstantInt::getAllOnesValue(ir.getIntNTy(count)));
}

llvm::Constant* steps(llvm::IRBuilder<>& ir, unsigned count, std::uint64_t bytes) {
  llvm::SmallVector<llvm::Constant*, kLanes> offsets;
  for (unsigned lane = 0; lane < count; ++lane) offsets.push_back(ir.getInt64(lane * bytes));
  return llvm::ConstantVector::get(offsets);
}

llvm::SmallVector<int, kLanes> numbers(unsigned first, unsigned count) {
  llvm::SmallVector<int, kLanes> all;
  for (unsigned lane = 0; lane < count; ++lane) all.push_back(static_cast<int>(first + lane));
  return all;
}

}  // namespace

llvm::Value* Widener::reach(llvm::Value* address) {
  return ir_.CreateIntToPtr(reached(ir_, address, base_, span_), ir_.getPtrTy());
}

Widener::Address Widener::address_of(llvm::Value* pointer) {
  std::uint64_t offset = 0;
  llvm::Value* base = pointer;
  if (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(base);
      step != nullptr && step->getNumIndices() == 1 && step->getSourceElementType()->isIntegerTy(8))
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(step->getOperand(1))) {
      offset = constant->getZExtValue();
      base = step->getPointerOperand();
    }
  if (is_reach(base) && !uniform(base)) {
    llvm::Value* lanes = wide(llvm::cast<llvm::CallInst>(base)->getArgOperand(1));
    if (offset != 0) lanes = ir_.CreateAdd(lanes, splat(ir_.getInt64(offset)));
    return {lanes, true, false};
  }
  const bool own = llvm::isa<llvm::AllocaInst>(pointer->stripInBoundsOffsets());
  return {ir_.CreatePtrToInt(wide(pointer), wide_type(ir_.getInt64Ty())), false, own};
}

void Widener::emit_load(llvm::LoadInst& load) {
  if (const auto field = thread_field_of(load.getPointerOperand()))
    return define(load, field_of_thread(*field, load.getType()));
  if (uniform(&load)) return emit_uniform(load);
  define(load, access(address_of(load.getPointerOperand()), load.getType(), nullptr));
}

void Widener::emit_store(llvm::StoreInst& store) {
  llvm::Value* pointer = store.getPointerOperand();
  llvm::Value* value = store.getValueOperand();
  if (!uniform(pointer)) {
    access(address_of(pointer), value->getType(), wide(value));
    return;
  }
  // All lanes to one place: the last one's value stays.
  llvm::Value* kept = nullptr;
  if (uniform(value)) {
    kept = scalar(value);
  } else {
    llvm::Value* last = ir_.CreateSub(
        word(31), ir_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, mask_, ir_.getTrue()));
    kept = ir_.CreateExtractElement(wide(value), last);
  }
  auto* copy = ir_.CreateAlignedStore(kept, scalar(pointer), store.getAlign(), store.isVolatile());
  if (store.isAtomic()) copy->setAtomic(store.getOrdering());
}

llvm::Value* Widener::pointer_at(const Address& address, llvm::Value* number) {
  return address.device ? reach(number) : ir_.CreateIntToPtr(number, ir_.getPtrTy());
}

/// Reads, or writes what is stored: then it returns null.
llvm::Value* Widener::access(const Address& address, llvm::Type* type, llvm::Value* stored) {
  if (address.own) return access_elsewhere(address, type, stored);
  const std::uint64_t bytes = target_.getDataLayout().getTypeStoreSize(type);
  llvm::Value* first = ir_.CreateExtractElement(address.lanes, std::uint64_t{0});
  llvm::Value* row = ir_.CreateAdd(splat(first), steps(ir_, kLanes, bytes));
  llvm::Value* in_row = ir_.CreateAnd(ir_.CreateICmpEQ(mask_, word(0xFFFFFFFF)),
                                      all_of(ir_, ir_.CreateICmpEQ(address.lanes, row)));
  llvm::BasicBlock* here = new_block("row");
  llvm::BasicBlock* elsewhere = new_block("elsewhere");
  llvm::BasicBlock* done = new_block();
  ir_.CreateCondBr(in_row, here, elsewhere);
  ir_.SetInsertPoint(here);
  llvm::Value* pointer = pointer_at(address, first);
  llvm::Value* value = nullptr;
  if (stored != nullptr)
    ir_.CreateAlignedStore(stored, pointer, llvm::Align(bytes));
  else
    value = ir_.CreateAlignedLoad(wide_type(type), pointer, llvm::Align(bytes));
  ir_.CreateBr(done);
  ir_.SetInsertPoint(elsewhere);
  llvm::Value* other = shape_ == WarpShape::kHalves ? access_halves(address, type, stored)
                                                    : access_elsewhere(address, type, stored);
  llvm::BasicBlock* from = ir_.GetInsertBlock();
  ir_.CreateBr(done);
  ir_.SetInsertPoint(done);
  if (stored != nullptr) return nullptr;
  auto* result = ir_.CreatePHI(wide_type(type), 2);
  result->addIncoming(value, here);
  result->addIncoming(other, from);
  return result;
}

/// Rows of sixteen, as blocks of 16 x 16 threads have them; what is read may be one place a row.
llvm::Value* Widener::access_halves(const Address& address, llvm::Type* type, llvm::Value* stored) {
  const std::uint64_t bytes = target_.getDataLayout().getTypeStoreSize(type);
  const llvm::Align align(bytes);
  llvm::Value* first[2];
  llvm::Value* distance[2];
  for (unsigned half = 0; half < 2; ++half) {
    first[half] = ir_.CreateExtractElement(address.lanes, std::uint64_t{half} * kHalf);
    distance[half] =
        ir_.CreateSub(ir_.CreateShuffleVector(address.lanes, numbers(half * kHalf, kHalf)),
                      ir_.CreateVectorSplat(kHalf, first[half]));
  }
  const auto both = [&](llvm::Constant* pattern) {
    return ir_.CreateAnd(all_of(ir_, ir_.CreateICmpEQ(distance[0], pattern)),
                         all_of(ir_, ir_.CreateICmpEQ(distance[1], pattern)));
  };
  llvm::Value* everyone = ir_.CreateICmpEQ(mask_, word(0xFFFFFFFF));
  llvm::BasicBlock* done = new_block();
  std::vector<std::pair<llvm::Value*, llvm::BasicBlock*>> values;
  /// What to do where the halves have the pattern.
  const auto where = [&](llvm::Constant* pattern, auto&& make) {
    llvm::BasicBlock* yes = new_block("halves");
    llvm::BasicBlock* no = new_block();
    ir_.CreateCondBr(ir_.CreateAnd(everyone, both(pattern)), yes, no);
    ir_.SetInsertPoint(yes);
    values.emplace_back(make(), ir_.GetInsertBlock());
    ir_.CreateBr(done);
    ir_.SetInsertPoint(no);
  };
  const auto joined = [&](auto&& half) {
    llvm::Value* low = half(0U);
    return ir_.CreateShuffleVector(low, half(1U), numbers(0, kLanes));
  };
  where(steps(ir_, kHalf, bytes), [&]() -> llvm::Value* {
    llvm::Type* half_type = llvm::FixedVectorType::get(type, kHalf);
    if (stored == nullptr)
      return joined([&](unsigned half) {
        return ir_.CreateAlignedLoad(half_type, pointer_at(address, first[half]), align);
      });
    for (unsigned half = 0; half < 2; ++half)
      ir_.CreateAlignedStore(ir_.CreateShuffleVector(stored, numbers(half * kHalf, kHalf)),
                             pointer_at(address, first[half]), align);
    return nullptr;
  });
  if (stored == nullptr)
    where(llvm::cast<llvm::Constant>(llvm::Constant::getNullValue(distance[0]->getType())),
          [&]() -> llvm::Value* {
            return joined([&](unsigned half) {
              return ir_.CreateVectorSplat(
                  kHalf, ir_.CreateAlignedLoad(type, pointer_at(address, first[half]), align));
            });
          });
  values.emplace_back(access_elsewhere(address, type, stored), nullptr);
  values.back().second = ir_.GetInsertBlock();
  ir_.CreateBr(done);
  ir_.SetInsertPoint(done);
  if (stored != nullptr) return nullptr;
  auto* result = ir_.CreatePHI(wide_type(type), static_cast<unsigned>(values.size()));
  for (const auto& [value, block] : values) result->addIncoming(value, block);
  return result;
}

/// By a function of this module, one for each type: few accesses come here, and each would be long.
llvm::Value* Widener::access_elsewhere(const Address& address, llvm::Type* type,
                                       llvm::Value* stored) {
  llvm::AllocaInst* lanes = in_memory(address.lanes);
  llvm::AllocaInst* values =
      in_memory(stored != nullptr ? stored : llvm::Constant::getNullValue(wide_type(type)));
  llvm::Value* span = address.device ? span_ : ir_.getInt64(0);
  ir_.CreateCall(scattered_access(*target_.getParent(), type, stored != nullptr),
                 {lanes, mask_, base_, span, values});
  return stored != nullptr ? nullptr : ir_.CreateLoad(wide_type(type), values);
}

/// Memory for each lane, one behind the other.
void Widener::emit_alloca(llvm::AllocaInst& alloca) {
  const std::uint64_t align = std::max<std::uint64_t>(16, alloca.getAlign().value());
  const std::uint64_t bytes =
      (*alloca.getAllocationSize(target_.getDataLayout()) + align - 1) / align * align;
  llvm::AllocaInst* all = place_for(llvm::ArrayType::get(ir_.getInt8Ty(), bytes * kLanes));
  all->setAlignment(llvm::Align(align));
  define(alloca, ir_.CreateGEP(ir_.getInt8Ty(), all, steps(ir_, kLanes, bytes)));
}

/// All lanes at once.
void Widener::emit_touch(llvm::CallInst& call) {
  llvm::Value* address = call.getArgOperand(1);
  llvm::Value* const bytes = scalar(call.getArgOperand(2));
  llvm::Value* const writes = ir_.CreateZExt(scalar(call.getArgOperand(3)), ir_.getInt32Ty());
  llvm::Module& module = *target_.getParent();
  const auto ask = [&](const char* helper, std::vector<llvm::Value*> arguments) {
    std::vector<llvm::Type*> types;
    for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
    ir_.CreateCall(
        module.getOrInsertFunction(helper, llvm::FunctionType::get(ir_.getVoidTy(), types, false)),
        arguments);
  };
  if (uniform(address))
    ask("xfer_touch", {block_, scalar(address), bytes, writes});
  else
    ask("xfer_touch_lanes", {block_, in_memory(wide(address)), mask_, bytes, writes});
}

/// Of cp.async, whose size is in the instruction.
void Widener::emit_memcpy(llvm::CallInst& call) {
  llvm::AllocaInst* to = in_memory(wide(call.getArgOperand(0)));
  llvm::AllocaInst* from = in_memory(wide(call.getArgOperand(1)));
  each_lane([&](llvm::Value* lane) {
    const llvm::MaybeAlign any(1);
    ir_.CreateMemCpy(of_lane(to, lane), any, of_lane(from, lane), any,
                     scalar(call.getArgOperand(2)));
  });
}

}  // namespace xfer::kernels
