#pragma once
// One run of xferlint, from options to exit code.

#include "analyzer/driver/options.h"

namespace xfer::lint {

enum ExitCode { kClean = 0, kFindings = 1, kUsage = 2, kParseFailure = 3 };

/// Throws UsageError for what ends a run with kUsage.
int run_lint(const Options& options);

}  // namespace xfer::lint
