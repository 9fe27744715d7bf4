#pragma once
// The values that a function leaves in the fields of its own object, and of those that it is given,
// read at a call of it.

#include "analyzer/flow/step.h"
#include "analyzer/flow/substitution.h"

namespace xfer::analyzer {

/// A constructor made the object.
void hold_constructed(Step& step, Substitution& terms, const Summary& summary, ObjectId id);
/// The callee, a constructor or what returns it, made the object, of a class.
void hold_fields(Step& step, Substitution& terms, const std::vector<FieldHeld>& fields,
                 ClassId owner, ObjectId id);
/// The callee made the tuple, and returns it.
void hold_parts(Step& step, Substitution& terms, const std::map<std::uint32_t, Outcome>& parts,
                ObjectId tuple);
/// The object, of a class, may hold something else in these fields, but where the callee says what
/// it leaves there.
void change_fields(Step& step, Substitution& terms, const std::vector<FieldHeld>& fields,
                   const FieldsChanged& changed, ClassId owner, ObjectId object);
/// The callee moved or replaced modules that the object holds.
void share_changed(Step& step, Substitution& terms, const std::vector<FieldHeld>& fields,
                   const FieldsChanged& changed, ObjectId object);

}  // namespace xfer::analyzer
