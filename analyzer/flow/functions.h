#pragma once
// Functions that are given to functions: where a function puts the result of one that it was given
// is for its callers to say, who know which one they give.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

/// The result of a function that was given, for one tensor whose place is known, and nothing else:
/// one place, however often it is called.
void note_returned(Step& step, const Call& call, const Value& result);
/// Where the function that the call gives, or else the parameter's default one, puts its result.
Device returned(const Step& step, const Call& call, const DeviceTerm& term);
/// The function that the call gives, which runs for each of a module's parts, leaves modules where
/// they are.
bool only_visits(const Step& step, const Call& call);

}  // namespace xfer::analyzer
