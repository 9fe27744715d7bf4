#pragma once
// The flow of one function: states to a fixpoint over its blocks, then one more pass in which the
// checks' observer hears the events. Must-analysis: what a state says holds on every path.

#include <vector>

#include "analyzer/flow/fact_numbers.h"
#include "analyzer/flow/graph.h"
#include "analyzer/flow/interpreter.h"

namespace xfer::analyzer {

class Flow {
 public:
  Flow(const FunctionFacts& facts, Interpreter& interpreter, OriginTable& origins,
       SymbolTable& symbols);

  /// False: no fixpoint within the visits that a block gets.
  bool run();
  void replay(Observer& observer);
  enum class Iteration { kFirst, kLater };
  /// The first iteration of each loop by itself, or all that follow one, for what is certain in
  /// them.
  void replay_iterations(Iteration which, Graph& graph, Observer& observer);
  /// After the last fact; unreachable where no path returns.
  State exit_state() const;
  /// The states that it is joined of: one for each way to return.
  std::vector<const State*> ends() const;
  const FactNumbers& numbers() const { return numbers_; }

 private:
  State entry_of(BlockId block);
  void execute(BlockId block, State& state);

  const FunctionFacts& facts_;
  Interpreter& interpreter_;
  OriginTable& origins_;
  SymbolTable& symbols_;
  FactNumbers numbers_;
  Table<BlockId, State> in_, out_;
};

}  // namespace xfer::analyzer
