#pragma once
// Values that a function hands to others: arguments, values in globals and in fields of objects.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

/// `spot`: the call, or what is assigned; `loaded`: a module is read from a file; `kept`: for
/// longer than a call.
void hand(const Step& step, Holder to, SpotId spot, const Value& value, bool loaded = false,
          bool kept = true);
/// To a global that is followed, by whatever variable; other functions know of it.
void hand_to_global(const Step& step, VariableId variable, SpotId spot, const Value& value,
                    bool loaded = false);
/// Tells where a module is now, whoever holds it.
void relocated(const Step& step, ObjectId module);
void hand_arguments(const Step& step, const Call& call);
/// `value` is what the fields and globals hold that `whole` is in, or a part of that.
void hand_to_fields(const Step& step, ObjectId whole, ObjectId value, bool loaded = false);

}  // namespace xfer::analyzer
