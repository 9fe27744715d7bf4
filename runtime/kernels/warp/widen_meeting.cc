// Exchange between lanes, and barriers. The lanes of a warp are in step, so an exchange rearranges
// a vector. At a barrier the warp waits as a whole.

#include <llvm/IR/Constants.h>

#include "kernels/frame.h"
#include "kernels/warp/widener.h"
#include "kernels/warp_frame.h"

namespace xfer::kernels {
namespace {

/// The n-th argument behind the thread.
llvm::Value* argument(llvm::CallInst& call, unsigned n) { return call.getArgOperand(n + 1); }

std::optional<std::uint64_t> constant(llvm::Value* value) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value);
  return number == nullptr ? std::nullopt : std::optional(number->getZExtValue());
}

}  // namespace

void Widener::emit_service(llvm::CallInst& call, std::size_t service) {
  switch (service) {
    case offsetof(Services, barrier): return wait_at_barrier(call, WarpStop::kBarrier);
    case offsetof(Services, barrier_count): return emit_barrier_count(call);
    case offsetof(Services, pause): return pause(call);
    case offsetof(Services, warp_barrier):
      ir_.CreateFence(llvm::AtomicOrdering::AcquireRelease);
      return;
    case offsetof(Services, shuffle): return emit_shuffle(call);
    case offsetof(Services, vote): return emit_vote(call);
    case offsetof(Services, match): return emit_by_helper(call, "xfer_warp_match");
    case offsetof(Services, reduce): return emit_by_helper(call, "xfer_warp_reduce");
    case offsetof(Services, active_mask): return define(call, mask_);
    default: return emit_call_by_lane(call, true);
  }
}

/// A word in a lane's own memory.
void Widener::store_answer(llvm::Value* pointer, llvm::Value* value) {
  if (llvm::isa<llvm::ConstantPointerNull>(pointer)) return;  // nobody wants it
  if (const auto found = registers_.find(pointer); found != registers_.end())
    return set_register(found->second, value);
  access({pointer, 0, false, true}, ir_.getInt32Ty(), value);
}

/// Of what is the same for all lanes, whether that is known or not.
llvm::Value* Widener::of_any_lane(llvm::Value* value) {
  if (uniform(value)) return scalar(value);
  llvm::Value* lane = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, mask_, ir_.getTrue());
  return ir_.CreateExtractElement(wide(value), lane);
}

/// The warp stops at the barrier that the call names first, for as many threads as it names second.
void Widener::wait_at_barrier(llvm::CallInst& call, WarpStop stop) {
  set_warp_field(offsetof(Warp, stop), word(static_cast<std::uint32_t>(stop)));
  // Lanes come together; any of them says where.
  set_warp_field(offsetof(Warp, barrier), of_any_lane(argument(call, 0)));
  set_warp_field(offsetof(Warp, count), of_any_lane(argument(call, 1)));
  set_warp_field(offsetof(Warp, arrived), mask_);
  suspend();
  leave_or_go_on(call);
}

void Widener::pause(llvm::CallInst& call) {
  set_warp_field(offsetof(Warp, stop), word(static_cast<std::uint32_t>(WarpStop::kPause)));
  suspend();
  leave_or_go_on(call);
}

void Widener::emit_barrier_count(llvm::CallInst& call) {
  llvm::Value* holds = mask_of(ir_.CreateICmpNE(wide(argument(call, 2)), splat(word(0))));
  set_warp_field(offsetof(Warp, holding), ir_.CreateAnd(holds, mask_));
  wait_at_barrier(call, WarpStop::kBarrierCount);
  store_answer(argument(call, 3), splat(warp_field(offsetof(Warp, arrived), ir_.getInt32Ty())));
  define(call, warp_field(offsetof(Warp, holding), ir_.getInt32Ty()));
}

void Widener::emit_shuffle(llvm::CallInst& call) {
  const auto how = static_cast<Shuffle>(constant(argument(call, 1)).value_or(3));
  llvm::Value* value = wide(argument(call, 2));
  llvm::Value* by = wide(argument(call, 3));
  llvm::Value* clamp = wide(argument(call, 4));
  llvm::Value* lane = lane_numbers(32);
  llvm::Value* five = splat(word(31));
  llvm::Value* segment = ir_.CreateAnd(ir_.CreateLShr(clamp, splat(word(8))), five);
  llvm::Value* limit = ir_.CreateAnd(clamp, five);
  llvm::Value* least = ir_.CreateAnd(lane, segment);
  llvm::Value* most = ir_.CreateOr(least, ir_.CreateAnd(limit, ir_.CreateNot(segment)));
  by = ir_.CreateAnd(by, five);
  llvm::Value* from = nullptr;
  switch (how) {
    case Shuffle::kUp: from = ir_.CreateSub(lane, by); break;
    case Shuffle::kDown: from = ir_.CreateAdd(lane, by); break;
    case Shuffle::kButterfly: from = ir_.CreateXor(lane, by); break;
    case Shuffle::kIndex:
      from = ir_.CreateOr(least, ir_.CreateAnd(by, ir_.CreateNot(segment)));
      break;
  }
  llvm::Value* in_range =
      how == Shuffle::kUp ? ir_.CreateICmpSGE(from, most) : ir_.CreateICmpSLE(from, most);
  from = ir_.CreateSelect(in_range, from, lane);
  llvm::Value* result = nullptr;
  if (auto* fixed = llvm::dyn_cast<llvm::Constant>(from)) {
    llvm::SmallVector<int, kLanes> order;
    for (unsigned i = 0; i < kLanes; ++i)
      order.push_back(static_cast<int>(
          llvm::cast<llvm::ConstantInt>(fixed->getAggregateElement(i))->getZExtValue()));
    result = ir_.CreateShuffleVector(value, order);
  } else {
    llvm::AllocaInst* memory = in_memory(value);
    llvm::Value* places =
        ir_.CreateGEP(ir_.getInt32Ty(), memory, ir_.CreateZExt(from, wide_type(ir_.getInt64Ty())));
    llvm::Value* all = llvm::Constant::getAllOnesValue(wide_type(ir_.getInt1Ty()));
    result = ir_.CreateMaskedGather(value->getType(), places, llvm::Align(4), all,
                                    llvm::Constant::getNullValue(value->getType()));
  }
  store_answer(argument(call, 5), ir_.CreateZExt(in_range, wide_type(ir_.getInt32Ty())));
  define(call, uniform(&call) ? ir_.CreateExtractElement(result, std::uint64_t{0}) : result);
}

void Widener::emit_vote(llvm::CallInst& call) {
  const auto how = static_cast<Vote>(constant(argument(call, 1)).value_or(0));
  // The same for all, or a vector of each lane's.
  const auto each = [&](llvm::Value* value) { return uniform(&call) ? value : splat(value); };
  llvm::Value* holds = mask_of(ir_.CreateICmpNE(wide(argument(call, 2)), splat(word(0))));
  // Of the lanes that each lane's mask names.
  llvm::Value* named = uniform(&call) ? scalar(argument(call, 0)) : wide(argument(call, 0));
  llvm::Value* members = ir_.CreateAnd(named, each(mask_));
  llvm::Value* holding = ir_.CreateAnd(members, each(ir_.CreateAnd(holds, mask_)));
  llvm::Value* none = ir_.CreateICmpEQ(holding, each(word(0)));
  llvm::Value* all = ir_.CreateICmpEQ(holding, members);
  llvm::Value* result = holding;
  if (how == Vote::kAny) result = ir_.CreateNot(none);
  if (how == Vote::kAll) result = all;
  if (how == Vote::kUniform) result = ir_.CreateOr(all, none);
  define(call, ir_.CreateZExt(result, holding->getType()));
}

/// By a function of the library on all lanes: it takes the mask, then the address of a vector of
/// each argument, and fills a vector of results.
void Widener::emit_by_helper(llvm::CallInst& call, const char* helper) {
  std::vector<llvm::Value*> arguments{mask_};
  llvm::Value* answer = nullptr;
  llvm::AllocaInst* answers = nullptr;
  for (unsigned i = 1; i < call.arg_size(); ++i) {
    llvm::Value* value = call.getArgOperand(i);
    if (value->getType()->isPointerTy()) {
      answer = value;
      answers = in_memory(llvm::Constant::getNullValue(wide_type(ir_.getInt32Ty())));
      arguments.push_back(answers);
    } else {
      arguments.push_back(in_memory(wide(value)));
    }
  }
  llvm::AllocaInst* results = in_memory(llvm::Constant::getNullValue(wide_type(call.getType())));
  arguments.push_back(results);
  call_library(helper, arguments);
  if (answer != nullptr) store_answer(answer, ir_.CreateLoad(answers->getAllocatedType(), answers));
  define(call, ir_.CreateLoad(results->getAllocatedType(), results));
}

}  // namespace xfer::kernels
