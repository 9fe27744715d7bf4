#pragma once
// Modules: how they are made, moved and registered in each other.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

Value new_module(Step& step, const Call& call);
Value move_module(Step& step, const Call& call);
Value register_parts(Step& step, const Call& call);
/// A container gets a part that is as strict as `with`.
void fill(Object& container, Strict with);

}  // namespace xfer::analyzer
