#pragma once
// How much the analysis knows: of how many operands it knows where they are, and why not of the
// others. Silence about code that nothing is known of says nothing about the code.

#include "analyzer/flow/events.h"
#include "analyzer/flow/source_text.h"
#include "analyzer/program/inference.h"
#include "analyzer/program/inflows.h"
#include "analyzer/program/unknowns.h"

namespace xfer::analyzer {

/// Adds to `unknowns`, where
/// there are some, what brought the others.
OperandCount count_operands(const FunctionView& function, const Events& events,
                            const Inference& program, std::size_t unit, const SourceText& source,
                            Unknowns* unknowns);

}  // namespace xfer::analyzer
