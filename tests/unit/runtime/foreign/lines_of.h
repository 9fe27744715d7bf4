#pragma once
// A report's findings as lines: "place: message".

#include <string>
#include <vector>

#include "xfer/rules/report.h"

namespace xfer::test {

inline std::vector<std::string> lines_of(const Report& report) {
  std::vector<std::string> lines;
  for (const Finding& finding : report.findings)
    lines.push_back(finding.location.function + ": " + finding.message);
  return lines;
}

}  // namespace xfer::test
