#pragma once
// A function's needs of its callers: places that must be one device whenever it runs.

#include <cstddef>
#include <vector>

#include "analyzer/flow/events.h"
#include "analyzer/flow/graph.h"
#include "analyzer/flow/source_text.h"
#include "analyzer/program/callers_terms.h"
#include "analyzer/program/function_view.h"
#include "analyzer/program/inference.h"

namespace xfer::analyzer {

/// `program`: null where it is not known yet; else also what the function needs beside what the
/// program has at one place, as unit number `number`.
std::vector<Need> needs_of(const FunctionView& function, const Events& events, Graph& graph,
                           const SourceText& source, const Inference* program, std::size_t number,
                           CallersTerms& terms);

}  // namespace xfer::analyzer
