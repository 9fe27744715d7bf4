#pragma once
// A baseline: the findings that a project lives with for now, by fingerprint, so that edits
// elsewhere in a file do not bring them back. JSON, sorted, one entry a line: made for version
// control.

#include <string>
#include <vector>

#include "xfer/rules/finding.h"

namespace xfer::lint {

struct BaselineResult {
  std::vector<Finding> fresh;  ///< findings that the baseline does not list
  std::size_t known = 0;       ///< findings that it lists
  std::vector<std::string>
      stale;  ///< "file: rule" of entries in `analyzed_files` that were not found
};

/// Throws UsageError when the file cannot be read or is no baseline. Findings need fingerprints. An
/// entry counts as stale only when its file was linted.
BaselineResult apply_baseline(const std::string& file, std::vector<Finding> findings,
                              const std::vector<std::string>& analyzed_files);

/// Throws UsageError when the file cannot be written.
void write_baseline(const std::string& file, const std::vector<Finding>& findings);

}  // namespace xfer::lint
