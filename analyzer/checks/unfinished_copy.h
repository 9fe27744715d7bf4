#pragma once
// What read-before-sync and async-source-reuse share: the host touches a tensor while an
// asynchronous copy of it may still be under way.

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

/// Reports the first such touch of every copy. `copy` says which end of the copy `use` is about:
/// the copy that arrives in the tensor, or the one that leaves it.
void report_unfinished(const CheckContext& context, Rule rule, DataUse use, FactId Object::* copy);

}  // namespace xfer::analyzer
