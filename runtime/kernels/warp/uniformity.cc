#include "kernels/warp/uniformity.h"

#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PassInstrumentation.h>

#include <memory>

#include "kernels/frame.h"
#include "kernels/translate/services.h"
#include "kernels/warp/lanes.h"

namespace xfer::kernels {
namespace {

using llvm::InstructionUniformity;

/// Tells LLVM's analysis, as a target does, which values differ from lane to lane by themselves.
class LanesOfWarp : public llvm::TargetTransformInfoImplBase {
 public:
  LanesOfWarp(const llvm::DataLayout& layout, WarpShape shape)
      : TargetTransformInfoImplBase(layout), shape_(shape) {}

  bool hasBranchDivergence(const llvm::Function*) const override { return true; }
  InstructionUniformity getInstructionUniformity(const llvm::Value* value) const override {
    if (llvm::isa<llvm::AllocaInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(value))
      return InstructionUniformity::NeverUniform;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value))
      if (const auto field = thread_field_of(load->getPointerOperand()))
        return is_same_for_all(*field) ? InstructionUniformity::AlwaysUniform
                                       : InstructionUniformity::NeverUniform;
    if (const auto part = lane_part_of(value))
      return *part == LanePart::kWarp || (*part == LanePart::kX && shape_ == WarpShape::kRows)
                 ? InstructionUniformity::AlwaysUniform
                 : InstructionUniformity::NeverUniform;
    // A function of the library that has effects is called for each lane.
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(value);
        call != nullptr && call->getCalledFunction() != nullptr &&
        !call->getCalledFunction()->isIntrinsic() && !is_reach(call) &&
        !service_of(*call->getCalledFunction()) &&
        !call->getCalledFunction()->doesNotAccessMemory())
      return InstructionUniformity::NeverUniform;
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(value))
      if (const auto service = call->getCalledFunction() == nullptr
                                   ? std::nullopt
                                   : service_of(*call->getCalledFunction()))
        return is_same_for_all(*call, *service) ? InstructionUniformity::AlwaysUniform
                                                : InstructionUniformity::NeverUniform;
    return InstructionUniformity::Default;
  }

 private:
  /// Lanes that a constant names get the same from a vote, and from a broadcast.
  static bool is_same_for_all(const llvm::CallInst& call, std::size_t service) {
    const auto number = [&](unsigned n) {
      const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(n));
      return constant == nullptr ? std::nullopt : std::optional(constant->getZExtValue());
    };
    switch (service) {
      case offsetof(Services, barrier_count):
      case offsetof(Services, active_mask): return true;
      case offsetof(Services, vote): return number(1) == 0xFFFFFFFF;
      case offsetof(Services, shuffle):
        return number(2) == static_cast<std::uint32_t>(Shuffle::kIndex) && number(4).has_value() &&
               number(5) == 31;
      default: return false;
    }
  }

  bool is_same_for_all(std::size_t field) const {
    constexpr std::size_t kY = offsetof(Thread, index) + sizeof(std::uint32_t);
    constexpr std::size_t kEnd = offsetof(Thread, index) + 3 * sizeof(std::uint32_t);
    return field == offsetof(Thread, block) ||
           (shape_ == WarpShape::kRows && field >= kY && field < kEnd);
  }

  const WarpShape shape_;
};

}  // namespace

std::optional<std::size_t> thread_field_of(const llvm::Value* pointer) {
  std::size_t offset = 0;
  if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    const auto* constant = step->getNumIndices() == 1
                               ? llvm::dyn_cast<llvm::ConstantInt>(step->getOperand(1))
                               : nullptr;
    if (constant == nullptr || !step->getSourceElementType()->isIntegerTy(8)) return std::nullopt;
    offset = constant->getZExtValue();
    pointer = step->getPointerOperand();
  }
  const auto* argument = llvm::dyn_cast<llvm::Argument>(pointer);
  if (argument == nullptr || argument->getArgNo() != 0) return std::nullopt;
  return offset;
}

Uniformity::Uniformity(llvm::Function& function, WarpShape shape) {
  analyses_.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  analyses_.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  analyses_.registerPass([] { return llvm::CycleAnalysis(); });
  analyses_.registerPass([shape] {
    return llvm::TargetIRAnalysis([shape](const llvm::Function& of) {
      return llvm::TargetTransformInfo(std::make_unique<LanesOfWarp>(of.getDataLayout(), shape));
    });
  });
  analyses_.registerPass([] { return llvm::UniformityInfoAnalysis(); });
  info_ = &analyses_.getResult<llvm::UniformityInfoAnalysis>(function);
}

}  // namespace xfer::kernels
