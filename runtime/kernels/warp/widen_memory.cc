// Loads, stores, variables and copies of a warp.

#include <llvm/IR/Constants.h>

#include <algorithm>

#include "kernels/frame.h"
#include "kernels/translate/services.h"
#include "kernels/warp/widener.h"
#include "kernels/warp_frame.h"

namespace xfer::kernels {
namespace {

llvm::Constant* steps(llvm::IRBuilder<>& ir, unsigned count, std::uint64_t bytes) {
  llvm::SmallVector<llvm::Constant*, kLanes> offsets;
  for (unsigned lane = 0; lane < count; ++lane) offsets.push_back(ir.getInt64(lane * bytes));
  return llvm::ConstantVector::get(offsets);
}

/// A variable that is a register: nobody but loads, stores and answers of services uses its
/// address.
bool is_register(const llvm::AllocaInst& alloca) {
  const llvm::Type* type = alloca.getAllocatedType();
  if (alloca.isArrayAllocation() || !type->isSingleValueType() || type->isVectorTy()) return false;
  return llvm::all_of(alloca.users(), [&](const llvm::User* user) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) return load->getType() == type;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      return store->getValueOperand() != &alloca && store->getValueOperand()->getType() == type;
    if (llvm::cast<llvm::Instruction>(user)->isLifetimeStartOrEnd()) return true;
    const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    const auto service = call == nullptr || call->getCalledFunction() == nullptr
                             ? std::nullopt
                             : service_of(*call->getCalledFunction());
    return service && type->isIntegerTy(32) &&
           (*service == offsetof(Services, shuffle) || *service == offsetof(Services, match) ||
            *service == offsetof(Services, barrier_count));
  });
}

}  // namespace

llvm::Value* Widener::reach(llvm::Value* address) {
  return ir_.CreateIntToPtr(reached(ir_, address, base_, span_), ir_.getPtrTy());
}

std::pair<llvm::Value*, std::uint64_t> base_and_offset(llvm::Value* pointer) {
  auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
  if (step == nullptr || step->getNumIndices() != 1 ||
      !step->getSourceElementType()->isIntegerTy(8))
    return {pointer, 0};
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(step->getOperand(1));
  if (constant == nullptr) return {pointer, 0};
  return {step->getPointerOperand(), constant->getZExtValue()};
}

Widener::Address Widener::address_of(llvm::Value* pointer) {
  const auto [base, offset] = base_and_offset(pointer);
  if (is_reach(base) && !uniform(base))
    return {llvm::cast<llvm::CallInst>(base)->getArgOperand(1), offset, true, false};
  return {pointer, 0, false, llvm::isa<llvm::AllocaInst>(pointer->stripInBoundsOffsets())};
}

/// Nothing: they have none, or are in the lanes' own memory.
std::optional<Steps> Widener::steps_of_places(const Address& address) {
  auto steps = address.own ? std::nullopt : steps_of(address.of);
  if (!steps || address.offset == 0) return steps;
  return each_first(*steps, [&](llvm::Value* first) {
    return ir_.CreateAdd(first, ir_.getInt64(address.offset));
  });
}

/// Of all lanes, as numbers.
llvm::Value* Widener::numbers_of(const Address& address) {
  llvm::Value* lanes = wide(address.of);
  if (address.of->getType()->isPointerTy())
    lanes = ir_.CreatePtrToInt(lanes, wide_type(ir_.getInt64Ty()));
  return address.offset == 0 ? lanes : ir_.CreateAdd(lanes, splat(ir_.getInt64(address.offset)));
}

void Widener::emit_load(llvm::LoadInst& load) {
  if (const auto field = thread_field_of(load.getPointerOperand()))
    return define(load, field_of_thread(*field, load.getType()));
  if (uniform(&load)) return emit_uniform(load);
  if (const auto found = registers_.find(load.getPointerOperand()); found != registers_.end())
    return define(load, ir_.CreateLoad(found->second->getAllocatedType(), found->second));
  if (const auto place = matrix_place(load.getPointerOperand()))
    return define(load, load_from_matrix(*place, load.getType()));
  if (in_record_.contains(&load) || emit_record(load)) return;
  define(load, access(address_of(load.getPointerOperand()), load.getType(), nullptr));
}

/// In the lanes that are here.
void Widener::set_register(llvm::AllocaInst* place, llvm::Value* value) {
  llvm::Value* old = ir_.CreateLoad(place->getAllocatedType(), place);
  ir_.CreateStore(ir_.CreateSelect(mask_vector(mask_), value, old), place);
}

void Widener::emit_store(llvm::StoreInst& store) {
  llvm::Value* pointer = store.getPointerOperand();
  llvm::Value* value = store.getValueOperand();
  if (const auto found = registers_.find(pointer); found != registers_.end())
    return set_register(found->second, wide(value));
  if (const auto place = matrix_place(pointer)) return store_in_matrix(*place, wide(value));
  if (!uniform(pointer)) {
    if (in_record_.contains(&store) || emit_record(store)) return;
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

/// A vector, or memory for each lane, one behind the other.
void Widener::emit_alloca(llvm::AllocaInst& alloca) {
  if (is_register(alloca)) {
    registers_[&alloca] = slot(wide_type(alloca.getAllocatedType()));
    return;
  }
  const std::uint64_t align = std::max<std::uint64_t>(16, alloca.getAlign().value());
  const std::uint64_t bytes =
      (*alloca.getAllocationSize(target_.getDataLayout()) + align - 1) / align * align;
  llvm::AllocaInst* all = place_for(llvm::ArrayType::get(ir_.getInt8Ty(), bytes * kLanes));
  all->setAlignment(llvm::Align(align));
  define(alloca, ir_.CreateGEP(ir_.getInt8Ty(), all, steps(ir_, kLanes, bytes)));
}

/// Of cp.async, whose size is in the instruction.
void Widener::emit_memcpy(llvm::CallInst& call) {
  const Address to = address_of(call.getArgOperand(0));
  const Address from = address_of(call.getArgOperand(1));
  const auto steps_to = steps_of_places(to);
  const auto steps_from = steps_of_places(from);
  if (!steps_to || !steps_from) return copy_by_lane(call);
  llvm::Value* bytes = scalar(call.getArgOperand(2));
  llvm::Value* rows = ir_.CreateAnd(ir_.CreateICmpEQ(steps_to->step, bytes),
                                    ir_.CreateICmpEQ(steps_from->step, bytes));
  rows = both(both(rows, steps_to->holds), steps_from->holds);
  either(
      ir_.CreateAnd(all_are_here(), rows), "rows",
      [&] {
        const llvm::MaybeAlign any(1);
        for (unsigned group = 0; group < groups_; ++group)
          ir_.CreateMemCpy(first_at(to, steps_to->first[group], nullptr, nullptr), any,
                           first_at(from, steps_from->first[group], nullptr, nullptr), any,
                           ir_.CreateMul(bytes, ir_.getInt64(kLanes / groups_)));
      },
      [&] { copy_by_lane(call); });
}

void Widener::copy_by_lane(llvm::CallInst& call) {
  llvm::AllocaInst* to = in_memory(wide(call.getArgOperand(0)));
  llvm::AllocaInst* from = in_memory(wide(call.getArgOperand(1)));
  each_lane([&](llvm::Value* lane) {
    const llvm::MaybeAlign any(1);
    ir_.CreateMemCpy(of_lane(to, lane), any, of_lane(from, lane), any,
                     scalar(call.getArgOperand(2)));
  });
}

}  // namespace xfer::kernels
