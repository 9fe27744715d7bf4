#pragma once
// What constructors and methods leave in the fields of their object, read at a call of them.

#include "analyzer/flow/step.h"
#include "analyzer/flow/substitution.h"

namespace xfer::analyzer {

/// A constructor made the object.
void hold_fields(Step& step, Substitution& terms, const Summary& summary, ObjectId id);
/// The method's object may hold something else in any field, but where the method says what it
/// leaves there.
void change_fields(Step& step, Substitution& terms, const Summary& summary, ObjectId self);
/// A method moved or replaced modules that the object holds.
void share_changed(Step& step, Substitution& terms, const Summary& summary, ObjectId self);

}  // namespace xfer::analyzer
