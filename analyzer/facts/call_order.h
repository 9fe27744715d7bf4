#pragma once
// Which calls of a function may run after which.

#include <map>

#include "analyzer/facts/facts.h"

namespace xfer::analyzer {

class CallOrder {
 public:
  explicit CallOrder(const FunctionFacts& facts);

  /// Some path leads from the one to the other, or they are the same.
  bool reaches(CallId from, CallId to) const;

 private:
  struct Position {
    BlockId block;
    std::size_t index;
  };

  std::map<CallId, Position> positions_;
  Table<BlockId, BlockFlags> after_;  ///< by block: those that follow it, itself only in a loop
};

}  // namespace xfer::analyzer
