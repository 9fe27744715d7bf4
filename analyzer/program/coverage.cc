#include "analyzer/program/coverage.h"

#include <set>

namespace xfer::analyzer {
namespace {

const char* how_made(Origin origin) {
  switch (origin) {
    case Origin::kFact: return "made, or lost, in the function itself";
    case Origin::kJoin: return "merged from two paths";
    case Origin::kOlder: return "from an earlier iteration";
    case Origin::kField: return "a field";
    case Origin::kParameter: return "a parameter";
    case Origin::kVariable: return "a variable from outside";
    default: return "not known";
  }
}

bool is_known(DeviceSet places) { return !places.empty() && !places.has(DeviceSet::kUnknown); }

}  // namespace

OperandCount count_operands(const FunctionView& function, const Events& events,
                            const Inference& program, std::size_t unit, const SourceText& source,
                            Unknowns* unknowns) {
  OperandCount count;
  std::set<FactId> seen;  // A loop's first iteration is told once more, and its later ones.
  for (const OperandsEvent& event : events.operand_events) {
    if (event.operands.size() < 2 || !seen.insert(event.fact).second) continue;
    for (const OperandView& operand : event.operands) {
      // Indices that are no tensors; a tensor that is not defined yet.
      if (!operand.id || operand.object.device.kind == DeviceKind::kBottom) continue;
      ++count.all;
      const std::vector<Source> sources = sources_of(function, operand.object.device);
      if (is_known(program.known(unit, sources).devices)) {
        ++count.known;
        continue;
      }
      if (unknowns == nullptr) continue;
      const SpotId spot = operand.spot ? operand.spot : event.call->spot;
      const Location at = source.location(function.facts.spots[spot], function.facts.name);
      std::string why = program.why_unknown(unit, sources);
      if (why.empty()) {
        why = how_made(function.origins[operand.id].origin);
        if (const SpotId since = unknown_since(function, operand.object.device))
          why += ", by `" + source.text(function.facts.spots[since]) + "`";
      }
      UnknownReason& reason = (*unknowns)["an operand: " + why];
      ++reason.count;
      reason.places.insert({at.file, at.line, source.text(function.facts.spots[spot])});
    }
  }
  return count;
}

}  // namespace xfer::analyzer
