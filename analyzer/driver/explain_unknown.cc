#include "analyzer/driver/explain_unknown.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "analyzer/driver/console.h"

namespace xfer::lint {
namespace {

using analyzer::UnknownPlace;
using analyzer::UnknownReason;
using analyzer::Unknowns;

constexpr std::size_t kShownPlaces = 4;

/// "train.cc:12 `x`, `y`", one text per line of code.
std::vector<std::string> lines_of(const UnknownReason& reason) {
  std::map<std::pair<std::string, unsigned>, std::vector<std::string>> variables;
  for (const UnknownPlace& place : reason.places) {
    std::vector<std::string>& names = variables[{place.file, place.line}];
    if (!place.variable.empty()) names.push_back('`' + place.variable + '`');
  }
  std::vector<std::string> lines;
  for (const auto& [line, names] : variables)
    lines.push_back(fmt::format("{}:{}{}{}", line.first, line.second, names.empty() ? "" : " ",
                                fmt::join(names, ", ")));
  return lines;
}

}  // namespace

Unknowns all_unknowns(const RunState& run) {
  Unknowns all;
  std::map<std::string, std::string> shown;
  for (const FileOutcome& file : run.files)
    for (const auto& [text, reason] : file.stats.unknown) {
      UnknownReason& sum = all[text];
      sum.count += reason.count;
      for (UnknownPlace place : reason.places) {
        const auto [name, added] = shown.try_emplace(place.file);
        if (added) name->second = shown_file(place.file, run.root);
        place.file = name->second;
        sum.places.insert(std::move(place));
      }
    }
  return all;
}

void say_unknowns(const Unknowns& unknowns) {
  std::vector<const Unknowns::value_type*> sorted;
  for (const auto& reason : unknowns) sorted.push_back(&reason);
  std::ranges::stable_sort(sorted, std::ranges::greater{},
                           [](const auto* reason) { return reason->second.count; });
  say(sorted.empty() ? "the analysis lost track of no device"
                     : "the analysis lost track of a device here (how often, why, where):");
  for (const auto* reason : sorted) {
    say(fmt::format("{:6}  {}", reason->second.count, reason->first));
    const std::vector<std::string> lines = lines_of(reason->second);
    for (std::size_t i = 0; i < std::min(lines.size(), kShownPlaces); ++i)
      say("          " + lines[i]);
    if (lines.size() > kShownPlaces)
      say(fmt::format("          and on {} more lines (--format json has them all)",
                      lines.size() - kShownPlaces));
  }
}

nlohmann::ordered_json to_json(const Unknowns& unknowns) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [text, reason] : unknowns) {
    nlohmann::ordered_json places = nlohmann::ordered_json::array();
    for (const UnknownPlace& place : reason.places)
      places.push_back({{"file", place.file}, {"line", place.line}, {"variable", place.variable}});
    json[text] = {{"count", reason.count}, {"places", std::move(places)}};
  }
  return json;
}

}  // namespace xfer::lint
