#pragma once
// The values that one function puts where others find them, from its events.

#include <cstdint>
#include <set>
#include <vector>

#include "analyzer/flow/events.h"
#include "analyzer/flow/source_text.h"
#include "analyzer/program/function_view.h"
#include "analyzer/program/inflow.h"

namespace xfer::analyzer {

/// The sources that say where a value on `device` is.
std::vector<Source> sources_of(const FunctionView& function, Device device);

/// The code that put something at a device of which nothing is known; none: there is none.
SpotId unknown_since(const FunctionView& function, Device device, unsigned depth = 0);

std::vector<Inflow> inflows_of(const FunctionView& function, const Events& events,
                               const State& exit, const SourceText& source);

}  // namespace xfer::analyzer
