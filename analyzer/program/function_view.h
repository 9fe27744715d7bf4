#pragma once
// A function while it is looked at, as far as devices go.

#include "analyzer/facts/unit.h"
#include "analyzer/flow/state.h"

namespace xfer::analyzer {

struct FunctionView {
  const Unit& unit;
  const FunctionFacts& facts;
  const OriginTable& origins;
  const SymbolTable& symbols;
  const Deciders& deciding;  ///< as Interpreter::deciding says
};

}  // namespace xfer::analyzer
