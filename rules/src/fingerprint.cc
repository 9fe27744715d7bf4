#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "source_cache.h"
#include "xfer/rules/report.h"

namespace xfer {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Runs of white space become one blank, and none at the ends: formatting does not change it.
std::string normalized(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (!is_space(c))
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace

void assign_fingerprints(Report& report, const std::filesystem::path& root) {
  SourceCache sources(root);
  // By place, not by the order of the report, which ranking changes.
  std::vector<std::size_t> order(report.findings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Location& left = report.findings[a].location;
    const Location& right = report.findings[b].location;
    return std::tie(left.line, left.column) < std::tie(right.line, right.column);
  });
  std::map<std::string, std::size_t> seen;
  for (const std::size_t index : order) {
    Finding& finding = report.findings[index];
    const Location& place = finding.location;
    std::string key;
    for (const std::string& part :
         {std::string(info(finding.rule).slug),
          std::filesystem::path(place.file).lexically_normal().generic_string(), place.function,
          normalized(sources.line(place.file, place.line))}) {
      key += part;
      key += '\0';
    }
    const std::size_t ordinal = seen[key]++;
    if (!finding.fingerprint.empty()) continue;
    key += std::to_string(ordinal);
    finding.fingerprint = fmt::format("{:016x}", XXH3_64bits(key.data(), key.size()));
  }
}

}  // namespace xfer
