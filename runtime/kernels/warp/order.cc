#include "kernels/warp/order.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>

#include <algorithm>
#include <set>

namespace xfer::kernels {
namespace {

class Ordering {
 public:
  Ordering(llvm::Function& function, llvm::LoopInfo& loops) : function_(function), loops_(loops) {}

  std::vector<OrderedBlock> run() {
    walk(nullptr);
    return std::move(order_);
  }

 private:
  /// The loop directly inside `around` that the block is in; null: it is in none.
  llvm::Loop* loop_inside(llvm::BasicBlock* block, const llvm::Loop* around) const {
    llvm::Loop* loop = loops_.getLoopFor(block);
    if (loop == around) return nullptr;
    while (loop != nullptr && loop->getParentLoop() != around) loop = loop->getParentLoop();
    return loop;
  }

  /// The header of a loop stands for the whole of it.
  llvm::BasicBlock* node_of(llvm::BasicBlock* block, const llvm::Loop* around) const {
    llvm::Loop* const loop = loop_inside(block, around);
    return loop == nullptr ? block : loop->getHeader();
  }

  void visit(llvm::BasicBlock* node, const llvm::Loop* around, llvm::BasicBlock* head,
             std::set<llvm::BasicBlock*>& seen, std::vector<llvm::BasicBlock*>& finished) const {
    if (!seen.insert(node).second) return;
    llvm::SmallVector<llvm::BasicBlock*> next;
    if (llvm::Loop* const loop = loop_inside(node, around))
      loop->getExitBlocks(next);
    else
      next.append(llvm::succ_begin(node), llvm::succ_end(node));
    for (llvm::BasicBlock* block : next)
      if (block != head && (around == nullptr || around->contains(block)))
        visit(node_of(block, around), around, head, seen, finished);
    finished.push_back(node);
  }

  void walk(llvm::Loop* around) {
    llvm::BasicBlock* const head =
        around == nullptr ? &function_.getEntryBlock() : around->getHeader();
    std::set<llvm::BasicBlock*> seen;
    std::vector<llvm::BasicBlock*> finished;
    visit(head, around, head, seen, finished);
    for (auto node = finished.rbegin(); node != finished.rend(); ++node) {
      llvm::Loop* const loop = loop_inside(*node, around);
      if (loop == nullptr) {
        order_.push_back({*node, {}});
      } else {
        walk(loop);
        order_.back().ends.push_back(loop);
      }
    }
  }

  llvm::Function& function_;
  llvm::LoopInfo& loops_;
  std::vector<OrderedBlock> order_;
};

}  // namespace

std::optional<std::vector<OrderedBlock>> order_of(llvm::Function& function, llvm::LoopInfo& loops) {
  llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
  if (llvm::containsIrreducibleCFG<llvm::BasicBlock*>(order, loops)) return std::nullopt;
  return Ordering(function, loops).run();
}

}  // namespace xfer::kernels
