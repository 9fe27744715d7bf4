#pragma once
// How functions handle tensors that others give them as results: most move them first.

#include <vector>

#include "analyzer/flow/events.h"
#include "analyzer/flow/source_text.h"
#include "analyzer/program/function_view.h"
#include "analyzer/program/inflow.h"

namespace xfer::analyzer {

struct Handling {
  Holder from;         ///< what a function returns, or leaves in what it is given
  bool moved = false;  ///< to a device that may be CUDA; false: it is an operand as it came
  Location at;
};

/// One of each kind for each holder.
std::vector<Handling> handlings_of(const FunctionView& function, const Events& events,
                                   const SourceText& source);

}  // namespace xfer::analyzer
