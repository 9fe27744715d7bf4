#pragma once
// What --explain-unknown says: why values became unknown, most frequent first, each with the
// variables and lines where it happened.

#include <nlohmann/json.hpp>

#include "analyzer/driver/console.h"

namespace xfer::lint {

/// Of all units of a run; files as reports name them.
analyzer::Unknowns all_unknowns(const RunState& run);

/// On standard error, with a few places of each reason.
void say_unknowns(const analyzer::Unknowns& unknowns);

/// {reason: {"count", "places": [{"file", "line", "variable"}]}}, with all places.
nlohmann::ordered_json to_json(const analyzer::Unknowns& unknowns);

}  // namespace xfer::lint
