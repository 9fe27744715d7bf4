#pragma once
// What a function hands to others: arguments, fields of objects.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

/// `spot`: the call, or what is assigned.
void hand(const Step& step, Holder to, SpotId spot, const Value& value);
void hand_arguments(const Step& step, const Call& call);
/// `value` is what the fields hold that `whole` is in, or a part of that.
void hand_to_fields(const Step& step, ObjectId whole, ObjectId value);

}  // namespace xfer::analyzer
