#pragma once
// The effect of one fact on a state. Pure but for the tables of ids; an observer hears what the
// checks need to know.

#include <set>

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

class Interpreter {
 public:
  Interpreter(const Unit& unit, const FunctionFacts& facts, OriginTable& origins,
              SymbolTable& symbols, Surroundings& surroundings);

  State entry_state();
  void run(const Fact& fact, FactId id, BlockId block, State& state);
  /// Null: nobody listens.
  void observe(Observer* observer) { observer_ = observer; }
  /// Some run has CUDA tensors in this parameter.
  void assume_cuda(std::uint32_t parameter) { on_cuda_.insert(parameter); }

  /// Parameters that decide, in functions called here, about devices.
  const Deciders& deciding() const { return tables_.deciding; }
  Amounts& amounts() { return tables_.amounts; }

 private:
  FlowTables tables_;
  Observer* observer_ = nullptr;
  std::set<std::uint32_t> on_cuda_;
};

}  // namespace xfer::analyzer
