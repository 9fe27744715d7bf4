#pragma once
// Copies that are there to be timed.

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

/// A clock is read between two copies, or right before and right after the pair of them.
bool timed_together(const CheckContext& context, const Call& first, const Call& second);
/// The second of the two copies is timed by itself, or each of them begins what is timed, as those
/// that are there to be compared.
bool timed_apart(const CheckContext& context, const Call& first, const Call& second);

/// The timed part of each iteration begins with the copy: the loop is there to measure it.
bool timed_in_loop(const CheckContext& context, const Call& copy, const Loop& loop);

/// A clock is read right before the loop and right after it.
bool timed_around(const CheckContext& context, const Loop& loop);

}  // namespace xfer::analyzer
