#pragma once
// The summary of a function from its flow and events.

#include "analyzer/flow/events.h"
#include "analyzer/flow/flow.h"
#include "analyzer/flow/graph.h"
#include "analyzer/flow/source_text.h"
#include "analyzer/flow/summary.h"

namespace xfer::analyzer {

Summary summarise(const Unit& unit, const FunctionFacts& facts, const Interpreter& interpreter,
                  const Flow& flow, const Events& events, const OriginTable& origins,
                  const SymbolTable& symbols, const SourceText& source, Graph& graph);

}  // namespace xfer::analyzer
