#pragma once
// Memory that is given back, and what uses it all the same.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

void free_memory(Step& step, const Call& call);
/// The call uses what the operand points to.
void tell_if_freed(const Step& step, const Call& call, const Operand& operand);
/// `pointer` points to memory that is freed now.
void note_freed(const Step& step, PlaceId pointer, Object& memory);
/// The flow knows what changes the variable, or what the place is; unknown code may, too.
bool is_followed(const Step& step, VariableId variable);
bool is_followed(const Step& step, PlaceId place);
/// The variable is the function's own: nobody else can have it point elsewhere.
bool is_own(const Step& step, VariableId variable);
/// The same of all that the place is.
bool is_own(const Step& step, PlaceId place);

}  // namespace xfer::analyzer
