#pragma once
// Copies that are there to be timed.

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

/// A clock is read between two copies, or right before and right after the pair of them.
bool timed_together(const CheckContext& context, const Call& first, const Call& second);
/// Each of the two copies begins what is timed, as those that are there to be compared.
bool timed_apart(const CheckContext& context, const Call& first, const Call& second);

}  // namespace xfer::analyzer
