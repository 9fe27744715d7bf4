#pragma once
// The run that a trace describes.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "xfer/rules/run_info.h"
#include "xfer/trace.h"

namespace xfer {

/// Of a trace that was read to its end, and its stats. An older trace has less; what it lacks is
/// not recorded.
RunInfo recorded_run(const Trace& trace, const nlohmann::ordered_json& stats,
                     const std::string& project);

/// The trace is of emulated devices, whose times are modelled.
bool is_emulated(const Trace& trace);

}  // namespace xfer
