#pragma once
// The values of variables, fields and globals: when they are read, when they are stored to, when
// they end.

#include "analyzer/flow/sharing.h"
#include "analyzer/flow/step.h"

namespace xfer::analyzer {

Value apply(Step& step, const fact::Load& what);
Value apply(Step& step, const fact::Store& fact);
Value apply(Step& step, const fact::FieldOf& of);
Value apply(Step& step, const fact::End& end);

Value load(Step& step, PlaceId place);
Value field_value(Step& step, ObjectId base, FieldId field);
/// A callee gave a reference parameter another value.
void assign(Step& step, const Operand& operand, Value value);
/// Others may have changed what they were given, and with an element the list that it is in.
void lose_operand(Step& step, const Operand& operand, ToldBy told = ToldBy::kNobody);
/// Other code may have changed the values of global variables.
void forget_globals(Step& step);

}  // namespace xfer::analyzer
