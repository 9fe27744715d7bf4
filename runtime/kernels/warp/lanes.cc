#include "kernels/warp/lanes.h"

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "kernels/warp/steps.h"
#include "kernels/warp/uniformity.h"

namespace xfer::kernels {
namespace {

constexpr const char* kStems[] = {"lane", "group", "warp", "x"};
constexpr std::uint32_t kMostThreads = 1024;

class Speller {
 public:
  Speller(llvm::Function& thread, WarpShape shape) : thread_(thread), groups_(groups_of(shape)) {}

  /// The number that the load gives, before it.
  llvm::Value* spelled(llvm::LoadInst& load, bool number) {
    llvm::IRBuilder<> ir(&load);
    const std::uint32_t in_group = kLanes / groups_;
    llvm::Value* lane = part(ir, LanePart::kLane, in_group);
    if (!number) return joined(ir, part(ir, LanePart::kX, kMostThreads / in_group), in_group, lane);
    if (groups_ > 1) lane = joined(ir, part(ir, LanePart::kGroup, groups_), in_group, lane);
    return joined(ir, part(ir, LanePart::kWarp, kMostThreads / kLanes), kLanes, lane);
  }

 private:
  llvm::Value* part(llvm::IRBuilder<>& ir, LanePart which, std::uint32_t end) {
    llvm::FunctionCallee callee = thread_.getParent()->getOrInsertFunction(
        std::string("lanes.") + kStems[static_cast<std::size_t>(which)],
        llvm::FunctionType::get(ir.getInt32Ty(), {}, false));
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    function->addFnAttr(llvm::Attribute::Speculatable);
    llvm::CallInst* call = ir.CreateCall(callee);
    call->addRetAttr(
        llvm::Attribute::get(ir.getContext(), llvm::Attribute::Range,
                             llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, end))));
    return call;
  }

  static llvm::Value* joined(llvm::IRBuilder<>& ir, llvm::Value* high, std::uint32_t of,
                             llvm::Value* low) {
    llvm::Value* shifted = ir.CreateShl(high, llvm::Log2_32(of), "", true, true);
    llvm::Value* both = ir.CreateOr(shifted, low);
    llvm::cast<llvm::PossiblyDisjointInst>(both)->setIsDisjoint(true);
    return both;
  }

  llvm::Function& thread_;
  const unsigned groups_;
};

}  // namespace

std::optional<LanePart> lane_part_of(const llvm::Value* value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  if (call == nullptr || call->getCalledFunction() == nullptr) return std::nullopt;
  llvm::StringRef name = call->getCalledFunction()->getName();
  if (!name.consume_front("lanes.")) return std::nullopt;
  for (std::size_t i = 0; i < std::size(kStems); ++i)
    if (name == kStems[i]) return static_cast<LanePart>(i);
  return std::nullopt;
}

void spell_lanes(llvm::Function& thread, WarpShape shape) {
  Speller speller(thread, shape);
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(thread))) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    const auto field = load == nullptr ? std::nullopt : thread_field_of(load->getPointerOperand());
    if (!field) continue;
    const bool number = *field == offsetof(Thread, number);
    if (!number && (*field != offsetof(Thread, index) || shape == WarpShape::kOther)) continue;
    load->replaceAllUsesWith(speller.spelled(*load, number));
    load->eraseFromParent();
  }
}

}  // namespace xfer::kernels
