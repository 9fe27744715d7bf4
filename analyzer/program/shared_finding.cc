#include "analyzer/program/shared_finding.h"

#include <set>
#include <tuple>
#include <utility>

namespace xfer::analyzer {
namespace {

using Position = std::tuple<std::string, unsigned, unsigned>;

Position position(const Location& at) { return {at.file, at.line, at.column}; }

}  // namespace

std::vector<SharedFinding> said_once(std::vector<SharedFinding> shared,
                                     const std::vector<ToldNeed>& told) {
  std::set<std::pair<Position, std::string>> of_callees;
  std::set<Position> here, said;
  for (const ToldNeed& need : told) {
    of_callees.emplace(position(need.operation), need.callee);
    said.insert(position(need.operation));
  }
  for (const SharedFinding& one : shared) {
    if (one.blame == SharedFinding::Blame::kHere) here.insert(position(one.operation));
    if (one.blame != SharedFinding::Blame::kCallee) said.insert(position(one.operation));
  }
  const auto known = [&](const SharedFinding& one) {
    const Position at = position(one.operation);
    switch (one.blame) {
      case SharedFinding::Blame::kHere: return of_callees.contains({at, one.function});
      case SharedFinding::Blame::kCall: return here.contains(at);
      case SharedFinding::Blame::kCallee: break;
    }
    return !said.insert(at).second;
  };
  std::erase_if(shared, known);
  return shared;
}

}  // namespace xfer::analyzer
