#pragma once
// The part of a SARIF log that says what was run.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "xfer/rules/run_info.h"

namespace xfer {

std::string percent_encoded(std::string_view path);

/// One invocation for each run; one at least.
nlohmann::ordered_json sarif_invocations(const std::vector<RunInfo>& runs);

/// "file:///home/me/heat/"; empty when the runs have no folder or not the same.
std::string sarif_project_uri(const std::vector<RunInfo>& runs);

}  // namespace xfer
