#pragma once
// What --explain-unknown says: why values became unknown, most frequent first, each with the
// variables and lines where it happened.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "analyzer/driver/run_units.h"

namespace xfer::lint {

/// Of all units of a run; files as reports name them.
analyzer::Unknowns all_unknowns(const RunOutcome& outcome, const std::filesystem::path& root);

/// On standard error, with a few places of each reason.
void say_unknowns(const analyzer::Unknowns& unknowns);

/// {reason: {"count", "places": [{"file", "line", "variable"}]}}, with all places.
nlohmann::ordered_json to_json(const analyzer::Unknowns& unknowns);
analyzer::Unknowns unknowns_from_json(const nlohmann::json& json);

}  // namespace xfer::lint
