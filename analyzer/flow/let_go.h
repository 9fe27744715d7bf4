#pragma once
// Memory that nothing points to any more.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

/// The variable ends, or gets another pointer: tells if it alone pointed to memory that the
/// function allocated and has not freed.
void tell_if_let_go(const Step& step, VariableId pointer);

}  // namespace xfer::analyzer
