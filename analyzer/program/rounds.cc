#include "analyzer/program/rounds.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace xfer::analyzer {
namespace {

using Calls = std::vector<std::vector<std::size_t>>;

constexpr unsigned kMostRuns = 6;

/// The nodes that can be reached from each node.
std::vector<std::vector<bool>> closure(const Calls& graph) {
  std::vector<std::vector<bool>> reached(graph.size(), std::vector<bool>(graph.size()));
  for (std::size_t start = 0; start < graph.size(); ++start) {
    std::vector<std::size_t> open = graph[start];
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      if (reached[start][node]) continue;
      reached[start][node] = true;
      open.insert(open.end(), graph[node].begin(), graph[node].end());
    }
  }
  return reached;
}

}  // namespace

Rounds Rounds::of(const std::vector<std::size_t>& units) const {
  Rounds some(members_.size());
  for (const std::size_t unit : units) {
    some.members_[unit] = members_[unit];
    some.members_[unit].runs = 1;
  }
  return some;
}

void Rounds::put(std::size_t unit, UnitSummaries summaries) {
  members_[unit].summaries = std::move(summaries);
}

UnitSummaries Rounds::known_to(const Member& member, const SummarySet& all) const {
  UnitSummaries known;
  for (const std::string& name : member.summaries->calls)
    if (const Summary* summary = all.find(name)) known.functions[name] = {{}, *summary};
  for (const std::string& method : member.summaries->virtual_calls)
    if (const auto* own = all.overriders(method)) known.overriders[method] = *own;
  for (const auto& [key, own] : member.summaries->classes) {
    if (!own.wanted) continue;
    ClassUses known_here = own;
    known_here.wanted = false;
    if (const ClassUses* uses = all.find(key); uses != nullptr && !(*uses == known_here))
      known.classes[key] = *uses;
  }
  return known;
}

/// For each unit those that define what it calls.
Calls Rounds::callees() const {
  std::map<std::string, std::vector<std::size_t>> definers;
  const auto method = [](const std::string& name) { return "virtual " + name; };
  for (std::size_t unit = 0; unit < members_.size(); ++unit) {
    if (!members_[unit].summaries) continue;
    for (const auto& [name, function] : members_[unit].summaries->functions)
      definers[name].push_back(unit);
    for (const auto& [name, own] : members_[unit].summaries->overriders)
      definers[method(name)].push_back(unit);
  }
  Calls graph(members_.size());
  for (std::size_t unit = 0; unit < members_.size(); ++unit) {
    if (!members_[unit].summaries) continue;
    for (const std::string& name : members_[unit].summaries->calls)
      if (const auto found = definers.find(name); found != definers.end())
        graph[unit].insert(graph[unit].end(), found->second.begin(), found->second.end());
    for (const std::string& name : members_[unit].summaries->virtual_calls)
      if (const auto found = definers.find(method(name)); found != definers.end())
        graph[unit].insert(graph[unit].end(), found->second.begin(), found->second.end());
    // All units that include a header define its functions.
    std::ranges::sort(graph[unit]);
    const auto again = std::ranges::unique(graph[unit]);
    graph[unit].erase(again.begin(), again.end());
  }
  return graph;
}

std::vector<Rounds::Again> Rounds::next() {
  SummarySet all;
  for (const Member& member : members_)
    if (member.summaries) all.add(*member.summaries);

  std::vector<Again> wanted;
  for (std::size_t unit = 0; unit < members_.size(); ++unit) {
    const Member& member = members_[unit];
    if (!member.summaries || member.runs >= kMostRuns) continue;
    UnitSummaries known = known_to(member, all);
    if (!(known == member.told)) wanted.push_back({unit, std::move(known)});
  }
  // First those that wait for no other, or only for units that wait for them too.
  const auto reached = wanted.size() < 2 ? std::vector<std::vector<bool>>{} : closure(callees());
  std::vector<Again> ready;
  for (const Again& one : wanted) {
    const bool waits = std::ranges::any_of(wanted, [&](const Again& other) {
      return other.unit != one.unit && reached[one.unit][other.unit] &&
             !reached[other.unit][one.unit];
    });
    if (!waits) ready.push_back(one);
  }
  for (const Again& one : ready) {
    members_[one.unit].told = one.others;
    ++members_[one.unit].runs;
  }
  return ready;
}

}  // namespace xfer::analyzer
