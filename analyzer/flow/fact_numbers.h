#pragma once
// The facts of a function by their numbers: from 1, block by block.

#include <vector>

#include "analyzer/facts/facts.h"

namespace xfer::analyzer {

class FactNumbers {
 public:
  explicit FactNumbers(const FunctionFacts& facts) : facts_(facts) {
    std::size_t next = 1;
    for (const Block& block : facts.blocks) {
      first_.add(FactId(next));
      next += block.facts.size();
    }
  }

  FactId first_of(BlockId block) const { return first_[block]; }
  /// Null: no fact has this number.
  const Fact* fact(FactId id) const {
    for (const BlockId block : facts_.blocks.ids()) {
      const std::vector<Fact>& facts = facts_.blocks[block].facts;
      const std::size_t index = id.number() - first_[block].number();
      if (id >= first_[block] && index < facts.size()) return &facts[index];
    }
    return nullptr;
  }

 private:
  const FunctionFacts& facts_;
  Table<BlockId, FactId> first_;
};

}  // namespace xfer::analyzer
