// Memory accesses of the lanes of a warp: whole rows at once, rows in which only some lanes take
// part under a mask, and other places by functions of the library.

#include <llvm/IR/Constants.h>

#include <array>

#include "kernels/translate/services.h"
#include "kernels/warp/widener.h"
#include "kernels/warp_frame.h"

namespace xfer::kernels {
namespace {

llvm::SmallVector<int, kLanes> numbers(unsigned first, unsigned count) {
  llvm::SmallVector<int, kLanes> all;
  for (unsigned lane = 0; lane < count; ++lane) all.push_back(static_cast<int>(first + lane));
  return all;
}

bool is_true(const llvm::Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  return constant != nullptr && constant->isOne();
}

bool is_false(const llvm::Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  return constant != nullptr && constant->isZero();
}

}  // namespace

/// Paths to one block, and the value that each brings there.
class Widener::Ways {
 public:
  explicit Ways(Widener& widener) : widener_(widener), end_(widener.new_block()) {}

  /// The way that is written now is at its end.
  void close(llvm::Value* value) {
    ends_.emplace_back(value, widener_.ir_.GetInsertBlock());
    widener_.ir_.CreateBr(end_);
  }
  /// Goes on behind all. Null if ways give nothing.
  llvm::Value* join() {
    widener_.ir_.SetInsertPoint(end_);
    if (ends_.front().first == nullptr) return nullptr;
    auto* result =
        widener_.ir_.CreatePHI(ends_.front().first->getType(), static_cast<unsigned>(ends_.size()));
    for (const auto& [value, block] : ends_) result->addIncoming(value, block);
    return result;
  }

 private:
  Widener& widener_;
  llvm::BasicBlock* end_;
  std::vector<std::pair<llvm::Value*, llvm::BasicBlock*>> ends_;
};

/// Where lane 0 is, or would be, if the lanes of the mask are there; null: it is.
llvm::Value* Widener::first_at(const Address& address, llvm::Value* first, llvm::Value* mask,
                               llvm::Value* step) {
  if (!address.device) return ir_.CreateIntToPtr(first, ir_.getPtrTy());
  // Of the others nobody says that they are on the device.
  llvm::Value* before = ir_.getInt64(0);
  if (mask != nullptr) {
    llvm::Value* lane = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, mask, ir_.getFalse());
    before = ir_.CreateMul(ir_.CreateZExt(lane, ir_.getInt64Ty()), step);
  }
  llvm::Value* there = reached(ir_, ir_.CreateAdd(first, before), base_, span_);
  return ir_.CreateIntToPtr(ir_.CreateSub(there, before), ir_.getPtrTy());
}

/// Reads, or writes what is stored: then it returns null.
llvm::Value* Widener::access(const Address& address, llvm::Type* type, llvm::Value* stored) {
  if (type->isPointerTy()) {
    llvm::Type* number = ir_.getInt64Ty();
    if (stored != nullptr) stored = ir_.CreatePtrToInt(stored, wide_type(number));
    llvm::Value* value = access(address, number, stored);
    return value == nullptr ? nullptr : ir_.CreateIntToPtr(value, wide_type(type));
  }
  const std::uint64_t bytes = target_.getDataLayout().getTypeStoreSize(type);
  const auto steps = steps_of_places(address);
  if (!steps) return access_elsewhere(address, type, stored);
  const bool one_place = stored == nullptr && steps->same_in_group();
  llvm::Value* row = one_place ? ir_.getTrue() : ir_.CreateICmpEQ(steps->step, ir_.getInt64(bytes));
  Ways ways(*this);
  /// Where it holds, what `make` gives; goes on where it does not.
  const auto if_holds = [&](llvm::Value* holds, const char* name, auto make) {
    llvm::BasicBlock* here = new_block(name);
    llvm::BasicBlock* other = new_block();
    ir_.CreateCondBr(holds, here, other);
    ir_.SetInsertPoint(here);
    ways.close(make());
    ir_.SetInsertPoint(other);
  };
  if (!is_false(row))
    if_holds(both(ir_.CreateAnd(all_are_here(), row), steps->holds), "row", [&] {
      return one_place ? access_places(address, *steps, type)
                       : access_rows(address, *steps, type, stored);
    });
  const auto some = [&] {
    return is_true(row) && !one_place && bytes >= 4
               ? access_some(address, *steps, type, stored)
               : access_in_steps(address, *steps, type, stored);
  };
  if (steps->holds == nullptr) {
    ways.close(some());
    return ways.join();
  }
  if_holds(steps->holds, "some", some);
  const Aside aside(*this);
  ways.close(access_elsewhere(address, type, stored));
  return ways.join();
}

/// The vectors of the groups as one of all lanes.
llvm::Value* Widener::in_a_row(llvm::ArrayRef<llvm::Value*> parts) {
  llvm::SmallVector<llvm::Value*, kMostGroups> joined(parts);
  for (unsigned width = kLanes / groups_; joined.size() > 1; width *= 2) {
    for (std::size_t i = 0; i < joined.size() / 2; ++i)
      joined[i] = ir_.CreateShuffleVector(joined[2 * i], joined[2 * i + 1], numbers(0, 2 * width));
    joined.resize(joined.size() / 2);
  }
  return joined[0];
}

/// The value of `make` for each group, one behind the other.
template <class Make>
llvm::Value* Widener::joined(Make make) {
  std::array<llvm::Value*, kMostGroups> parts{};
  for (unsigned group = 0; group < groups_; ++group) parts[group] = make(group);
  return parts[0] == nullptr ? nullptr : in_a_row({parts.data(), groups_});
}

/// The lanes of a group.
llvm::Value* Widener::part_of(llvm::Value* vector, unsigned group) {
  const unsigned width = kLanes / groups_;
  return groups_ == 1 ? vector : ir_.CreateShuffleVector(vector, numbers(group * width, width));
}

/// Every group a row.
llvm::Value* Widener::access_rows(const Address& address, const Steps& steps, llvm::Type* type,
                                  llvm::Value* stored) {
  const llvm::Align align(target_.getDataLayout().getTypeStoreSize(type));
  llvm::Type* part = llvm::FixedVectorType::get(type, kLanes / groups_);
  return joined([&](unsigned group) -> llvm::Value* {
    llvm::Value* pointer = first_at(address, steps.first[group], nullptr, nullptr);
    if (stored == nullptr) return ir_.CreateAlignedLoad(part, pointer, align);
    ir_.CreateAlignedStore(part_of(stored, group), pointer, align);
    return nullptr;
  });
}

/// Every group one place.
llvm::Value* Widener::access_places(const Address& address, const Steps& steps, llvm::Type* type) {
  const llvm::Align align(target_.getDataLayout().getTypeStoreSize(type));
  llvm::SmallVector<llvm::Value*, kMostGroups> values;
  for (unsigned group = 0; group < groups_; ++group)
    values.push_back(ir_.CreateAlignedLoad(
        type, first_at(address, steps.first[group], nullptr, nullptr), align));
  return spread(values);
}

llvm::Value* Widener::mask_of_group(unsigned group) {
  const unsigned width = kLanes / groups_;
  llvm::Value* mask = ir_.CreateLShr(mask_, word(group * width));
  return groups_ == 1 ? mask : ir_.CreateAnd(mask, word((1U << width) - 1));
}

/// Rows of which some lanes are there, of sizes that AVX2 has masks for.
llvm::Value* Widener::access_some(const Address& address, const Steps& steps, llvm::Type* type,
                                  llvm::Value* stored) {
  const llvm::Align align(target_.getDataLayout().getTypeStoreSize(type));
  const unsigned width = kLanes / groups_;
  llvm::Type* part = llvm::FixedVectorType::get(type, width);
  return joined([&](unsigned group) -> llvm::Value* {
    llvm::Value* mask = mask_of_group(group);
    llvm::Value* row = first_at(address, steps.first[group], mask, steps.step);
    llvm::Value* lanes = ir_.CreateBitCast(ir_.CreateTrunc(mask, ir_.getIntNTy(width)),
                                           llvm::FixedVectorType::get(ir_.getInt1Ty(), width));
    if (stored == nullptr)
      return ir_.CreateMaskedLoad(part, row, align, lanes, llvm::Constant::getNullValue(part));
    ir_.CreateMaskedStore(part_of(stored, group), row, align, lanes);
    return nullptr;
  });
}

/// A function of support.h that gives nothing.
void Widener::call_library(const std::string& name, const std::vector<llvm::Value*>& arguments) {
  std::vector<llvm::Type*> types;
  for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
  ir_.CreateCall(target_.getParent()->getOrInsertFunction(
                     name, llvm::FunctionType::get(ir_.getVoidTy(), types, false)),
                 arguments);
}

/// Calls a function of the library on lanes' values in memory.
llvm::Value* Widener::by_helper(const std::string& name, std::vector<llvm::Value*> arguments,
                                llvm::Type* type, llvm::Value* stored) {
  llvm::AllocaInst* values = shared_place(wide_type(type), 0);
  ir_.CreateLifetimeStart(values);
  if (stored != nullptr) ir_.CreateStore(stored, values);
  arguments.push_back(values);
  call_library(name, arguments);
  llvm::Value* loaded =
      stored == nullptr ? ir_.CreateLoad(values->getAllocatedType(), values) : nullptr;
  ir_.CreateLifetimeEnd(values);
  return loaded;
}

/// Any steps, and any lanes.
llvm::Value* Widener::access_in_steps(const Address& address, const Steps& steps, llvm::Type* type,
                                      llvm::Value* stored) {
  const std::uint64_t bytes = target_.getDataLayout().getTypeStoreSize(type);
  const std::string name =
      (stored == nullptr ? "xfer_steps_load_" : "xfer_steps_store_") + std::to_string(bytes);
  llvm::SmallVector<int, kLanes> lowest(kLanes, -1);
  for (unsigned lane = 0; lane < kLanes / groups_; ++lane) lowest[lane] = static_cast<int>(lane);
  return joined([&](unsigned group) -> llvm::Value* {
    llvm::Value* mask = mask_of_group(group);
    llvm::Value* first = first_at(address, steps.first[group], mask, steps.step);
    llvm::Value* values = stored == nullptr ? nullptr : part_of(stored, group);
    if (values != nullptr && groups_ != 1) values = ir_.CreateShuffleVector(values, lowest);
    llvm::Value* loaded = by_helper(name, {first, steps.step, mask}, type, values);
    return loaded == nullptr ? nullptr : part_of(loaded, 0);
  });
}

/// Lanes at any places.
llvm::Value* Widener::access_elsewhere(const Address& address, llvm::Type* type,
                                       llvm::Value* stored) {
  llvm::AllocaInst* lanes = shared_place(wide_type(ir_.getInt64Ty()), 1);
  llvm::Value* numbers = numbers_of(address);
  if (address.device) numbers = reached(ir_, numbers, splat(base_), splat(span_));
  ir_.CreateLifetimeStart(lanes);
  ir_.CreateStore(numbers, lanes);
  const std::uint64_t bytes = target_.getDataLayout().getTypeStoreSize(type);
  const std::string name = stored == nullptr ? "xfer_lanes_load_" : "xfer_lanes_store_";
  llvm::Value* loaded = by_helper(name + std::to_string(bytes), {lanes, mask_}, type, stored);
  ir_.CreateLifetimeEnd(lanes);
  return loaded;
}

/// For what is there for a moment: one for all of the type.
llvm::AllocaInst* Widener::shared_place(llvm::Type* type, unsigned number) {
  llvm::AllocaInst*& place = shared_places_[{type, number}];
  if (place == nullptr) place = place_for(type);
  return place;
}

}  // namespace xfer::kernels
