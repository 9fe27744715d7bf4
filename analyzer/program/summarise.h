#pragma once
// The summary of a function from its flow and events.

#include "analyzer/flow/amounts.h"
#include "analyzer/flow/events.h"
#include "analyzer/flow/flow.h"
#include "analyzer/flow/graph.h"
#include "analyzer/flow/source_text.h"
#include "analyzer/flow/summary.h"
#include "analyzer/program/function_view.h"
#include "analyzer/program/inference.h"

namespace xfer::analyzer {

/// `program`: null where it is not known yet; else the summary says as well what the function needs
/// beside what the program has at one place, as unit number `number`.
Summary summarise(const FunctionView& function, const Flow& flow, const Events& events,
                  const SourceText& source, Graph& graph, Amounts& amounts,
                  const Inference* program, std::size_t number);

}  // namespace xfer::analyzer
