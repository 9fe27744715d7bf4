#pragma once
// The side, host or device, that a function's own copies assume of memory that it was given.
// Another use that assumes the other side cannot be right as well.

#include "analyzer/checks/sides.h"

namespace xfer::analyzer {

struct Belief {
  Side side = Side::kUnknown;
  const Call* call = nullptr;  ///< the copy that says so; null: it is known otherwise
};

/// On which side memory is: as side_held says, or else as copies say that run with the block.
/// Unknown: neither does, they disagree, or the program has memory of both sides.
Belief believed(const CheckContext& context, const Object& memory, ObjectId id, BlockId block);
/// Says in a note which copy told it.
void add_belief(const CheckContext& context, Finding& finding, const Belief& belief,
                const std::string& name);

}  // namespace xfer::analyzer
