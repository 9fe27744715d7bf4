#include "analyzer/facts/call_order.h"

namespace xfer::analyzer {

CallOrder::CallOrder(const FunctionFacts& facts)
    : after_(facts.blocks.size(), BlockFlags(facts.blocks.size())) {
  for (const BlockId block : facts.blocks.ids()) {
    const std::vector<Fact>& held = facts.blocks[block].facts;
    for (std::size_t index = 0; index < held.size(); ++index)
      if (const auto* invoked = held[index].as<fact::Invoke>())
        positions_.try_emplace(invoked->call, block, index);
    BlockFlags& after = after_[block];
    std::vector<BlockId> open = facts.blocks[block].successors;
    while (!open.empty()) {
      const BlockId next = open.back();
      open.pop_back();
      if (after[next]) continue;
      after[next] = true;
      const std::vector<BlockId>& further = facts.blocks[next].successors;
      open.insert(open.end(), further.begin(), further.end());
    }
  }
}

bool CallOrder::reaches(CallId from, CallId to) const {
  const auto first = positions_.find(from);
  const auto second = positions_.find(to);
  if (first == positions_.end() || second == positions_.end()) return true;
  const auto& [block, index] = first->second;
  const auto& [other, later] = second->second;
  return (block == other && index <= later) || after_[block][other];
}

}  // namespace xfer::analyzer
