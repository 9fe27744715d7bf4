#pragma once
// Files that a run reads and writes besides the sources.

#include <filesystem>
#include <string>

#include "analyzer/driver/options.h"
#include "xfer/rules/report.h"

namespace xfer::lint {

/// To --output or standard output, in the wanted format. Throws UsageError when it cannot be
/// written.
void write_report(const Report& report, const Options& options, const std::filesystem::path& root);

/// Findings of xfertrace. Throws UsageError.
Report read_profile(const std::string& file);

/// Throws UsageError when `file` cannot be written; leaves it as it is.
void check_writable(const std::string& file);

}  // namespace xfer::lint
