#pragma once
// Copies of memory as events: those that a call makes, and those of its callee. Each is compared
// with the copies that are still right.

#include <vector>

#include "analyzer/flow/step.h"
#include "analyzer/flow/substitution.h"

namespace xfer::analyzer {

/// Whether others may change the two sides, and which earlier copy was of the same bytes, or
/// brought them.
void compare(const Step& step, MemoryCopyEvent& event);
/// The copy is right from here on: its sides have been written to.
void keep(Step& step, const MemoryCopyEvent& event);

/// The callee's copies, as the call finds their sides.
std::vector<MemoryCopyEvent> copies_within(Step& step, Substitution& terms, const Summary& summary);
/// The callee's changes to numbers in objects, and its copies that are still right after it.
void keep_within(Step& step, Substitution& terms, const Summary& summary,
                 const std::vector<MemoryCopyEvent>& events);

}  // namespace xfer::analyzer
