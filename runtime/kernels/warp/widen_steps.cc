// Numbers that go up by the same step from lane to lane: see Steps.

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>

#include <cstdlib>

#include "kernels/frame.h"
#include "kernels/translate/fixed_field.h"
#include "kernels/translate/services.h"
#include "kernels/warp/lanes.h"
#include "kernels/warp/widener.h"
#include "kernels/warp_frame.h"

namespace xfer::kernels {
namespace {

/// As a number: a pointer's address.
llvm::Type* number_type(llvm::Type* type) {
  if (type->isPointerTy()) return llvm::Type::getInt64Ty(type->getContext());
  for (const unsigned bits : {8U, 16U, 32U, 64U})
    if (type->isIntegerTy(bits)) return type;
  return nullptr;
}

/// Facts about an extended number hold in the lanes that are here. Others are up to 31 steps away,
/// so lane 0's number may be beyond an end of the narrow type. Returns how to extend it so that the
/// numbers of the lanes that are here come out right. Nothing: unknown.
std::optional<llvm::Instruction::CastOps> extension_of_first(const llvm::CastInst& cast,
                                                             const llvm::Value* step) {
  const llvm::Value* narrow = cast.getOperand(0);
  const auto* by = llvm::dyn_cast<llvm::ConstantInt>(step);
  const unsigned bits = narrow->getType()->getIntegerBitWidth();
  if (by == nullptr || bits > 32 || std::abs(by->getSExtValue()) * kLanes > 1LL << (bits - 2))
    return std::nullopt;
  const llvm::SimplifyQuery query(cast.getDataLayout());
  if (llvm::isKnownNonNegative(narrow, query))
    return by->isNegative() ? llvm::Instruction::ZExt : llvm::Instruction::SExt;
  if (llvm::isa<llvm::SExtInst>(cast) && llvm::ComputeNumSignBits(narrow, query.DL) >= 2)
    return llvm::Instruction::SExt;
  return std::nullopt;
}

}  // namespace

llvm::Value* Widener::both(llvm::Value* a, llvm::Value* b) {
  return a == nullptr ? b : b == nullptr ? a : ir_.CreateAnd(a, b);
}

/// The same operation on what the groups begin with.
template <class Make>
Steps Widener::each_first(const Steps& of, Make make) {
  Steps result = of;
  for (unsigned group = 0; group < groups_; ++group) result.first[group] = make(of.first[group]);
  return result;
}

std::optional<Steps> Widener::steps_of(llvm::Value* value) {
  llvm::Type* type = number_type(value->getType());
  if (type == nullptr) return std::nullopt;
  if (uniform(value)) {
    llvm::Value* one = scalar(value);
    if (value->getType()->isPointerTy()) one = ir_.CreatePtrToInt(one, type);
    Steps steps{{}, llvm::ConstantInt::get(type, 0), nullptr};
    return each_first(steps, [&](llvm::Value*) { return one; });
  }
  if (const auto here = steps_here_.find(value); here != steps_here_.end()) return here->second;
  const auto place = step_places_.find(value);
  if (place == step_places_.end()) return std::nullopt;
  const auto loaded = [&](llvm::Value* part) -> llvm::Value* {
    auto* alloca = llvm::dyn_cast_or_null<llvm::AllocaInst>(part);
    return alloca == nullptr ? part : ir_.CreateLoad(alloca->getAllocatedType(), alloca);
  };
  Steps steps = each_first(place->second, loaded);
  steps.step = loaded(steps.step);
  steps.holds = loaded(steps.holds);
  steps_here_[value] = steps;
  if (aside_ != nullptr) aside_->steps_.push_back(value);
  return steps;
}

void Widener::keep_steps(llvm::Instruction& instruction, const Steps& steps) {
  steps_here_[&instruction] = steps;
  if (!lives_on(instruction)) return;
  const auto [place, made] = step_places_.try_emplace(&instruction);
  const auto kept = [&](llvm::Value* part, llvm::Value* before) -> llvm::Value* {
    if (part == nullptr || llvm::isa<llvm::Constant>(part)) return part;
    if (before == nullptr) {
      before = place_for(part->getType());
      // As forget_values.
      llvm::BasicBlock* entry = entries_[instruction.getParent()];
      llvm::IRBuilder<>(entry, entry->begin())
          .CreateStore(llvm::PoisonValue::get(part->getType()), before);
    }
    ir_.CreateStore(part, before);
    return before;
  };
  for (unsigned group = 0; group < groups_; ++group)
    place->second.first[group] = kept(steps.first[group], place->second.first[group]);
  place->second.step = kept(steps.step, place->second.step);
  place->second.holds = kept(steps.holds, place->second.holds);
}

/// The steps of the instruction's result, if it has them.
std::optional<Steps> Widener::find_steps(llvm::Instruction& instruction) {
  using llvm::dyn_cast;
  llvm::Type* type = number_type(instruction.getType());
  if (type == nullptr) return std::nullopt;
  if (const auto part = lane_part_of(&instruction)) return steps_of_part(*part);
  if (const auto* load = dyn_cast<llvm::LoadInst>(&instruction)) {
    const auto field = thread_field_of(load->getPointerOperand());
    return field ? steps_of_field(*field) : std::nullopt;
  }
  if (auto* binary = dyn_cast<llvm::BinaryOperator>(&instruction)) return steps_of_binary(*binary);
  if (auto* cast = dyn_cast<llvm::CastInst>(&instruction)) {
    auto of =
        number_type(cast->getSrcTy()) != nullptr ? steps_of(cast->getOperand(0)) : std::nullopt;
    if (!of) return of;
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(cast)) return steps_of_extension(*cast, *of);
    if (!llvm::isa<llvm::TruncInst, llvm::IntToPtrInst, llvm::PtrToIntInst>(cast) ||
        (type != of->step->getType() && !llvm::isa<llvm::TruncInst>(cast)))
      return std::nullopt;
    Steps result = each_first(*of, [&](llvm::Value* f) { return ir_.CreateTrunc(f, type); });
    result.step = ir_.CreateTrunc(of->step, type);
    return result;
  }
  if (auto* step = dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    if (step->getNumIndices() != 1 || !step->getSourceElementType()->isIntegerTy(8) ||
        !step->getOperand(1)->getType()->isIntegerTy(64) || step->getType()->isVectorTy())
      return std::nullopt;
    const auto base = steps_of(step->getPointerOperand());
    const auto by = base ? steps_of(step->getOperand(1)) : std::nullopt;
    return by ? std::optional(sum(*base, *by, false)) : std::nullopt;
  }
  return std::nullopt;
}

Steps Widener::sum(const Steps& a, const Steps& b, bool minus) {
  const auto join = [&](llvm::Value* x, llvm::Value* y) {
    return minus ? ir_.CreateSub(x, y) : ir_.CreateAdd(x, y);
  };
  Steps result;
  for (unsigned group = 0; group < groups_; ++group)
    result.first[group] = join(a.first[group], b.first[group]);
  result.step = join(a.step, b.step);
  result.holds = both(a.holds, b.holds);
  return result;
}

std::optional<Steps> Widener::steps_of_binary(llvm::BinaryOperator& binary) {
  const auto operation = binary.getOpcode();
  const auto a = steps_of(binary.getOperand(0));
  const auto b = a ? steps_of(binary.getOperand(1)) : std::nullopt;
  if (!b) return std::nullopt;
  const auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&binary);
  if (operation == llvm::Instruction::Add || (disjoint != nullptr && disjoint->isDisjoint()))
    return sum(*a, *b, false);
  if (operation == llvm::Instruction::Sub) return sum(*a, *b, true);
  if (binary.isIntDivRem()) return std::nullopt;  // groups without lanes may hold a 0
  const bool scales = operation == llvm::Instruction::Mul || operation == llvm::Instruction::Shl;
  // A value that is the same in a group stays so; a factor common to all groups scales the step.
  const auto one = [&](const Steps& of) {
    return of.same_in_group() && (groups_ == 1 || of.first[0] == of.first[1]);
  };
  const bool flat = a->same_in_group() && b->same_in_group();
  const bool by_right = scales && one(*b);
  const bool by_left = operation == llvm::Instruction::Mul && one(*a);
  if (!flat && !by_right && !by_left) return std::nullopt;
  const auto join = [&](llvm::Value* x, llvm::Value* y) {
    return ir_.CreateBinOp(operation, x, y);
  };
  Steps result;
  for (unsigned group = 0; group < groups_; ++group)
    result.first[group] = join(a->first[group], b->first[group]);
  result.step = flat ? a->step : by_right ? join(a->step, b->first[0]) : join(a->first[0], b->step);
  result.holds = both(a->holds, b->holds);
  return result;
}

/// In a wider type, if no lane of a group is behind the end of the narrow one.
Steps Widener::steps_of_extension(llvm::CastInst& cast, const Steps& of) {
  llvm::Type* type = cast.getType();
  llvm::Type* narrow = of.step->getType();
  const std::optional<llvm::Instruction::CastOps> known =
      of.same_in_group() ? cast.getOpcode() : extension_of_first(cast, of.step);
  const auto extended = [&](llvm::Value* value) {
    return ir_.CreateCast(known.value_or(cast.getOpcode()), value, type);
  };
  Steps result = each_first(of, extended);
  result.step = ir_.CreateSExt(of.step, type);
  if (known) return result;
  llvm::Value* way = ir_.CreateMul(result.step, llvm::ConstantInt::get(type, kLanes / groups_ - 1));
  for (unsigned group = 0; group < groups_; ++group) {
    llvm::Value* last = ir_.CreateAdd(result.first[group], way);
    result.holds =
        both(result.holds, ir_.CreateICmpEQ(extended(ir_.CreateTrunc(last, narrow)), last));
  }
  return result;
}

std::optional<Steps> Widener::steps_of_part(LanePart part) {
  Steps steps{{}, word(part == LanePart::kLane ? 1 : 0), nullptr};
  for (unsigned group = 0; group < groups_; ++group) {
    const std::size_t x = offsetof(Warp, index) + std::size_t{group} * kLanes / groups_ * 4;
    const auto field = [&](std::size_t offset) {
      return fixed_field(ir_, warp(), offset, ir_.getInt32Ty());
    };
    steps.first[group] = part == LanePart::kLane    ? word(0)
                         : part == LanePart::kGroup ? word(group)
                         : part == LanePart::kWarp
                             ? field(offsetof(Warp, number))
                             : ir_.CreateLShr(field(x), word(llvm::Log2_32(kLanes / groups_)));
  }
  return steps;
}

/// Groups lie in x: the other parts of the index are the same in each.
std::optional<Steps> Widener::steps_of_field(std::size_t field) {
  const std::size_t part = (field - offsetof(Thread, index)) / sizeof(std::uint32_t);
  if (groups_ == 1 || field < offsetof(Thread, index) || part == 0 || part > 2) return std::nullopt;
  Steps steps{{}, word(0), nullptr};
  for (unsigned group = 0; group < groups_; ++group)
    steps.first[group] = fixed_field(ir_, warp(),
                                     offsetof(Warp, index) + part * sizeof(Warp::index[0]) +
                                         std::size_t{group} * kLanes / groups_ * 4,
                                     ir_.getInt32Ty());
  return steps;
}

/// One value for each group, in all its lanes.
llvm::Value* Widener::spread(llvm::ArrayRef<llvm::Value*> values) {
  if (groups_ == 1) return splat(values[0]);
  llvm::Value* each =
      llvm::PoisonValue::get(llvm::FixedVectorType::get(values[0]->getType(), groups_));
  llvm::SmallVector<int, kLanes> order;
  for (unsigned group = 0; group < groups_; ++group)
    each = ir_.CreateInsertElement(each, values[group], std::uint64_t{group});
  for (unsigned lane = 0; lane < kLanes; ++lane)
    order.push_back(static_cast<int>(lane * groups_ / kLanes));
  return ir_.CreateShuffleVector(each, order);
}

/// The vector that the steps stand for.
llvm::Value* Widener::in_steps(const Steps& steps, llvm::Type* type) {
  const auto by = llvm::cast<llvm::ConstantInt>(steps.step)->getValue();
  llvm::SmallVector<llvm::Constant*, kLanes> way;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    way.push_back(
        llvm::ConstantInt::get(steps.step->getContext(), by * (lane % (kLanes / groups_))));
  llvm::Value* numbers = ir_.CreateAdd(spread(llvm::ArrayRef(steps.first.data(), groups_)),
                                       llvm::ConstantVector::get(way));
  return type->isPointerTy() ? ir_.CreateIntToPtr(numbers, wide_type(type)) : numbers;
}

}  // namespace xfer::kernels
