#pragma once
// Facts about tensors besides their device: element type, kind of memory, part in the gradients.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

/// Options after a call that makes or changes them.
Value options_value(const Step& step, const Call& call, Value base);
/// `first`: the receiver, or the first tensor.
void describe_result(Step& step, const Call& call, ObjectId first, Object& made);
void describe_transfer(const Step& step, const Call& call, const Object& source, bool to_host,
                       Object& made);
/// `x.requires_grad_()`, `x.set_requires_grad(true)`, `x.retain_grad()`.
void set_gradient(Step& step, const Call& call, ObjectId first);
/// `to.copy_(from, non_blocking)`: a copy from or to pinned memory may still be under way.
void copy_between(Step& step, const Call& call, ObjectId to);

}  // namespace xfer::analyzer
