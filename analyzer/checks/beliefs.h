#pragma once
// What the function's own copies say of memory that it was given: of which side they take it to be.
// Another use that takes it to be of the other side cannot be right as well.

#include "analyzer/checks/sides.h"

namespace xfer::analyzer {

struct Belief {
  Side side = Side::kUnknown;
  const Call* call = nullptr;  ///< the copy that says so
};

/// Of memory of which nothing else is known, as copies say that run with the block; unknown: none
/// does, they disagree, or the program has memory of both sides.
Belief told_by_copies(const CheckContext& context, const Object& memory, ObjectId id,
                      BlockId block);
/// Says in a note which copy told it.
void add_belief(const CheckContext& context, Finding& finding, const Belief& belief,
                const std::string& name);

}  // namespace xfer::analyzer
