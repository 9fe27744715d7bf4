#pragma once
// Questions about a function's control flow graph: loops, what runs in every iteration, what runs
// in every call, and which conditions decide whether a block runs. Computed when first asked.

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "analyzer/facts/facts.h"

namespace xfer::analyzer {

struct Loop {
  BlockId head;
  BlockFlags blocks;
  std::vector<BlockId> latches;
};

struct Guards {
  bool device_query = false;
  bool device_choice = false;
  /// Besides whether variables are there, how often loops run, and what the run computes.
  bool others = false;
  std::set<VariableId> present;
};

class Graph {
 public:
  explicit Graph(const FunctionFacts& facts) : facts_(facts) {}

  bool dominates(BlockId above, BlockId below);
  /// Every call that returns normally, without an exception on the way and without a call of a
  /// library that fails, runs the block.
  bool always_runs(BlockId block);
  /// The same for calls in which every loop around the block runs at least once.
  bool runs_if_loops_do(BlockId block);
  /// The same for one of the blocks, whichever a call comes to.
  bool one_runs_if_loops_do(const std::vector<BlockId>& blocks);
  /// The same as for one block, for calls that give what these variables hold, as far as callers
  /// can tell: what the run computes comes out either way.
  bool runs_where_given(BlockId block, const std::set<VariableId>& given);
  /// Every path on from `before` comes to `block`, if the loops around it that it enters run at
  /// least once.
  bool follows(BlockId block, BlockId before);
  const std::vector<Loop>& loops();
  /// The natural loops around a block, innermost first.
  std::vector<const Loop*> loops_around(BlockId block);
  /// The block is in the loop and runs in each of its iterations.
  bool runs_every_iteration(const Loop& loop, BlockId block);
  /// The kinds of conditions that decide whether the block runs.
  Guards guards(BlockId block);

 private:
  bool on_every_path(BlockId from, const std::vector<BlockId>& blocks,
                     const std::vector<const Loop*>& entered, bool leaving_counts);
  void find_dominators();
  void find_loops();
  void find_control_dependences();
  void find_without_exceptions();
  /// An exception takes the way, or a call that failed.
  bool goes_wrong(BlockId from, BlockId to) const;

  const FunctionFacts& facts_;
  Table<BlockId, BlockFlags> dominators_;
  std::optional<std::vector<Loop>> loops_;
  std::optional<Table<BlockId, std::vector<BlockId>>> controlled_by_;
  BlockFlags without_exceptions_;  ///< a path comes there without one, and without a failed call
};

}  // namespace xfer::analyzer
