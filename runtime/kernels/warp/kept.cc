#include "kernels/warp/kept.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>

#include <iterator>

#include "kernels/warp/lanes.h"
#include "kernels/warp/resumption.h"

namespace xfer::kernels {
namespace {

bool is_kept(const llvm::Instruction& instruction) {
  if (instruction.getType()->isVoidTy() || instruction.getType()->isStructTy() ||
      instruction.use_empty() || llvm::isa<llvm::AllocaInst>(instruction) ||
      lane_part_of(&instruction))
    return false;
  return llvm::isa<llvm::PHINode>(instruction) || lives_on(instruction);
}

constexpr std::size_t kAlign = 8;  // of values in a WarpState

/// The values that a lane needs that is about to begin with a block, its phis among them.
class Liveness {
 public:
  Liveness(llvm::Function& thread, const std::vector<llvm::Instruction*>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) numbers_[values[i]] = i;
    std::map<const llvm::BasicBlock*, llvm::BitVector> made;
    for (llvm::BasicBlock& block : thread) {
      begin_[&block].resize(values.size());
      made[&block].resize(values.size());
    }
    for (llvm::BasicBlock& block : thread) look_at(block, begin_[&block], made[&block]);
    const auto blocks = llvm::reverse(thread);
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::BasicBlock& block : blocks) {
        llvm::BitVector behind(values.size());
        for (const llvm::BasicBlock* next : llvm::successors(&block)) {
          behind |= begin_[next];
          // The way there sets them.
          for (const llvm::PHINode& phi : next->phis())
            if (const auto number = numbers_.find(&phi); number != numbers_.end())
              behind.reset(static_cast<unsigned>(number->second));
        }
        behind.reset(made[&block]);
        behind |= begin_[&block];
        if (behind == begin_[&block]) continue;
        begin_[&block] = behind;
        changed = true;
      }
    }
  }

  const llvm::BitVector& at_begin_of(const llvm::BasicBlock& block) const {
    return begin_.at(&block);
  }

 private:
  void look_at(const llvm::BasicBlock& block, llvm::BitVector& used, llvm::BitVector& made) {
    for (const llvm::Instruction& instruction : block) {
      if (const auto number = numbers_.find(&instruction); number != numbers_.end()) {
        const auto bit = static_cast<unsigned>(number->second);
        llvm::isa<llvm::PHINode>(instruction) ? used.set(bit) : made.set(bit);
      }
      if (!llvm::isa<llvm::PHINode>(instruction))
        for (const llvm::Value* operand : instruction.operands()) use(operand, used, made);
    }
    for (const llvm::BasicBlock* next : llvm::successors(&block))
      for (const llvm::PHINode& phi : next->phis())
        use(phi.getIncomingValueForBlock(&block), used, made);
  }

  void use(const llvm::Value* value, llvm::BitVector& used, const llvm::BitVector& made) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    const auto number = instruction == nullptr ? numbers_.end() : numbers_.find(instruction);
    if (number == numbers_.end()) return;
    const auto bit = static_cast<unsigned>(number->second);
    if (!made.test(bit)) used.set(bit);
  }

  std::map<const llvm::Instruction*, std::size_t> numbers_;
  std::map<const llvm::BasicBlock*, llvm::BitVector> begin_;
};

}  // namespace

Kept::Kept(llvm::Function& thread, const llvm::LoopInfo& loops,
           const std::vector<OrderedBlock>& order) {
  for (const OrderedBlock& ordered : order) places_.emplace(ordered.block, places_.size());
  const std::vector<llvm::Instruction*> values = values_between_blocks(thread);
  const Liveness liveness(thread, values);
  llvm::BitVector any(static_cast<unsigned>(values.size()));
  std::map<const llvm::BasicBlock*, llvm::BitVector> needed;
  for (llvm::BasicBlock& block : thread) {
    if (llvm::none_of(block, waits_at)) continue;
    Wait& wait = waits_[&block];
    wait.blocks = where_lanes_are(block, loops);
    llvm::BitVector& its = needed[&block];
    its.resize(any.size());
    for (const llvm::BasicBlock* at : wait.blocks) its |= liveness.at_begin_of(*at);
    any |= its;
  }
  std::vector<std::size_t> places(values.size());
  for (const unsigned number : any.set_bits()) {
    places[number] = values_.size();
    values_.push_back(values[number]);
    offsets_.push_back(bytes_);
    const unsigned bits = kept_type(*values[number])->getIntegerBitWidth();
    bytes_ += (std::size_t{bits} * kLanes / 8 + kAlign - 1) / kAlign * kAlign;
  }
  for (auto& [block, wait] : waits_)
    for (const unsigned number : needed[block].set_bits()) wait.values.push_back(places[number]);
}

/// In the block itself, and in those that come later in the order, where a way from one that came
/// before leads. Not at the beginning of a loop around it: the way back is behind all its blocks.
std::vector<llvm::BasicBlock*> Kept::where_lanes_are(llvm::BasicBlock& wait,
                                                     const llvm::LoopInfo& loops) const {
  const auto came_before = [&](const llvm::BasicBlock* block) {
    for (const llvm::Loop* loop = loops.getLoopFor(&wait); loop; loop = loop->getParentLoop())
      if (loop->contains(block)) return true;
    return place_of(*block) < place_of(wait);
  };
  std::vector<llvm::BasicBlock*> found{&wait};
  for (llvm::BasicBlock& block : *wait.getParent())
    if (place_of(block) > place_of(wait) && llvm::any_of(llvm::predecessors(&block), came_before))
      found.push_back(&block);
  return found;
}

std::size_t Kept::place_of(const llvm::BasicBlock& block) const {
  const auto place = places_.find(&block);
  return place == places_.end() ? 0 : place->second;
}

llvm::Type* kept_type(const llvm::Instruction& value) {
  llvm::Type* type = value.getType();
  const unsigned bits = type->isPointerTy() ? 64 : type->getScalarSizeInBits();
  return llvm::Type::getIntNTy(value.getContext(), bits);
}

std::vector<llvm::Instruction*> values_between_blocks(llvm::Function& thread) {
  std::vector<llvm::Instruction*> found;
  for (llvm::Instruction& instruction : llvm::instructions(thread))
    if (is_kept(instruction)) found.push_back(&instruction);
  return found;
}

bool lives_on(const llvm::Instruction& instruction) {
  return llvm::any_of(instruction.users(), [&](const llvm::User* user) {
    return llvm::cast<llvm::Instruction>(user)->getParent() != instruction.getParent() ||
           llvm::isa<llvm::PHINode>(user);
  });
}

std::uint32_t number_of(const llvm::BasicBlock& block) {
  const llvm::Function& function = *block.getParent();
  return static_cast<std::uint32_t>(std::distance(function.begin(), block.getIterator()));
}

}  // namespace xfer::kernels
