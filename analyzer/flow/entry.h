#pragma once
// The state that a function starts with.

#include <set>

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

/// `on_cuda`: parameters in which some run has CUDA tensors.
State entry_state(FlowTables& tables, const std::set<std::uint32_t>& on_cuda);

}  // namespace xfer::analyzer
