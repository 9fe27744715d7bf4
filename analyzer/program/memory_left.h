#pragma once
// Memory that a function allocated and leaves to its callers: how much, and whether it is as it was
// allocated.

#include "analyzer/flow/amounts.h"
#include "analyzer/flow/flow.h"
#include "analyzer/program/function_view.h"

namespace xfer::analyzer {

class MemoryLeft {
 public:
  MemoryLeft(const FunctionView& function, const Flow& flow, Amounts& amounts)
      : function_(function), flow_(flow), amounts_(amounts) {}

  Allocated of(ObjectId memory, const Object& object) const;

 private:
  /// Of memory that this function or a callee of it allocated.
  SizeWithin size_of(ObjectId memory) const;
  /// Allocated here, or by a callee, on a device or pinned, and nobody has been there since.
  bool is_untouched(ObjectId memory, const Object& object) const;
  /// The call of this function that allocated it; null: none did.
  const Call* allocation(ObjectId memory) const;

  const FunctionView& function_;
  const Flow& flow_;
  Amounts& amounts_;
};

}  // namespace xfer::analyzer
