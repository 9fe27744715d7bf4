#pragma once
// Pictures of a traced run, from the report's stats: what each thread and stream was busy with over
// time, and what each step of the program sent. Stats may come from anybody's file: what is not
// there, or is not what it should be, is not drawn.

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <span>

#include "xfer/rules/finding.h"

namespace xfer::html {

/// `findings` are those that the page shows as #f1, #f2, ...; those whose time is known are marked.
void write_run_charts(std::ostream& out, const nlohmann::ordered_json& stats,
                      std::span<const Finding> findings);

}  // namespace xfer::html
