#pragma once
// The facts of a function by their numbers: from 1, block by block.

#include <vector>

#include "analyzer/facts/facts.h"

namespace xfer::analyzer {

class FactNumbers {
 public:
  explicit FactNumbers(const FunctionFacts& facts) : facts_(facts) {
    FactId next = 1;
    for (const Block& block : facts.blocks) {
      first_.push_back(next);
      next += static_cast<FactId>(block.facts.size());
    }
  }

  FactId first_of(BlockId block) const { return first_[block]; }
  /// Null: no fact has this number.
  const Fact* fact(FactId id) const {
    for (std::size_t block = 0; block < facts_.blocks.size(); ++block) {
      const FactId first = first_[block];
      if (id >= first && id < first + facts_.blocks[block].facts.size())
        return &facts_.blocks[block].facts[id - first];
    }
    return nullptr;
  }

 private:
  const FunctionFacts& facts_;
  std::vector<FactId> first_;
};

}  // namespace xfer::analyzer
