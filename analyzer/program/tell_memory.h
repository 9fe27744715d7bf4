#pragma once
// A function's effects on memory, in terms of what its callers give it.

#include "analyzer/flow/amounts.h"
#include "analyzer/flow/events.h"
#include "analyzer/flow/graph.h"
#include "analyzer/flow/source_text.h"
#include "analyzer/flow/summary.h"
#include "analyzer/program/callers_terms.h"
#include "analyzer/program/function_view.h"

namespace xfer::analyzer {

/// A function whose flow has ended.
struct Ended {
  const FunctionView& function;
  const Events& events;
  const SourceText& source;
  Graph& graph;
  Amounts& amounts;
  const State& exit;
  const CallersTerms& terms;
};

/// Sets Summary::copies, Summary::frees and Summary::renumbered.
void tell_memory(const Ended& of, Summary& summary);

}  // namespace xfer::analyzer
