#pragma once
// A report's summary of the run as a whole, from the stats of the tracer.

#include <cstdint>
#include <string>

#include "xfer/rules/report.h"

namespace xfer {

/// How long the run took; of several processes, all of them together. 0: not known.
std::uint64_t run_time_ns(const Report& report);

/// Times in it are those of emulated devices.
bool is_modelled(const Report& report);

/// "the run: 1.2 s; to the devices 4 GiB at 8.4 GB/s, the fastest copy 24.1 GB/s; to the host ...".
/// Empty where nothing was traced.
std::string describe_run(const Report& report);

}  // namespace xfer
