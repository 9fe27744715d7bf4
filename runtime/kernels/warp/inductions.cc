#include "kernels/warp/inductions.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <vector>

#include "kernels/warp/uniformity.h"

namespace xfer::kernels {
namespace {

/// Whether `last` is the phi plus numbers that are the same for all lanes; collects these numbers.
bool is_sum(llvm::Value* last, const llvm::PHINode& phi, const Uniformity& uniformity,
            std::vector<llvm::Value*>& addends) {
  for (unsigned deep = 0; deep < 8; ++deep) {
    if (last == &phi) return !addends.empty();
    auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(last);
    if (sum == nullptr || sum->getOpcode() != llvm::Instruction::Add) return false;
    for (const unsigned by : {1U, 0U}) {
      if (!uniformity.same(sum->getOperand(by))) continue;
      addends.push_back(sum->getOperand(by));
      last = sum->getOperand(1 - by);
      break;
    }
    if (last == sum) return false;
  }
  return false;
}

struct Induction {
  llvm::PHINode* phi;
  std::vector<llvm::Value*> addends;
};

void split(const Induction& induction, const llvm::Loop& loop) {
  llvm::PHINode& phi = *induction.phi;
  llvm::BasicBlock* before = loop.getLoopPreheader();
  llvm::BasicBlock* latch = loop.getLoopLatch();
  llvm::IRBuilder<> ir(&phi);
  llvm::PHINode* count = ir.CreatePHI(phi.getType(), 2);
  count->addIncoming(llvm::ConstantInt::get(phi.getType(), 0), before);
  ir.SetInsertPoint(&*loop.getHeader()->getFirstInsertionPt());
  llvm::Value* sum = ir.CreateAdd(phi.getIncomingValueForBlock(before), count);
  ir.SetInsertPoint(latch->getTerminator());
  llvm::Value* next = count;
  for (llvm::Value* addend : induction.addends) next = ir.CreateAdd(next, addend);
  count->addIncoming(next, latch);
  phi.replaceAllUsesWith(sum);
  phi.eraseFromParent();
}

}  // namespace

void split_inductions(llvm::Function& thread, WarpShape shape) {
  const llvm::DominatorTree dominators(thread);
  const llvm::LoopInfo loops(dominators);
  std::vector<std::pair<Induction, const llvm::Loop*>> found;
  {
    const Uniformity uniformity(thread, shape);
    for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
      if (loop->getLoopPreheader() == nullptr || loop->getLoopLatch() == nullptr) continue;
      for (llvm::PHINode& phi : loop->getHeader()->phis()) {
        Induction induction{&phi, {}};
        if (phi.getType()->isIntegerTy() && !uniformity.same(&phi) &&
            is_sum(phi.getIncomingValueForBlock(loop->getLoopLatch()), phi, uniformity,
                   induction.addends))
          found.emplace_back(std::move(induction), loop);
      }
    }
  }
  for (const auto& [induction, loop] : found) split(induction, *loop);
}

}  // namespace xfer::kernels
