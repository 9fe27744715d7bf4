#include "analyzer/checks/wanted_on_host.h"

#include <algorithm>
#include <set>

namespace xfer::analyzer {
namespace {

/// The call reads its receiver's data on the host.
bool reads_on_host(const Call& call) {
  if (call.model == nullptr) return false;
  return call.model->syncs || call.model->requires_ == Requirement::kHost ||
         call.model->points_into == PointsInto::kData ||
         call.model->points_into == PointsInto::kHostData;
}

/// A library's function of several tensors, of which nothing is known: it may want one of them on
/// the CPU, as packing a sequence wants the lengths.
bool may_want_host(const Call& call) {
  return call.library && call.model == nullptr &&
         std::ranges::count(call.arguments, Role::kTensor, &Operand::role) > 1;
}

/// The values that are what a block finds in the field.
std::set<ValueId> loaded_from(const FunctionFacts& facts, const Block& block, FieldId field) {
  std::set<ValueId> loaded;
  for (const Fact& fact : block.facts) {
    const auto* part = fact.as<fact::FieldOf>();
    const auto* load = fact.as<fact::Load>();
    const bool there = load != nullptr && !facts.places[load->place].fields.empty() &&
                       facts.places[load->place].fields.back() == field;
    if (there || (part != nullptr && part->field == field)) loaded.insert(fact.value);
  }
  return loaded;
}

}  // namespace

bool wanted_on_host(const Unit& unit, FieldId field) {
  for (const Function& function : unit.functions) {
    if (function.facts == nullptr) continue;
    for (const Block& block : function.facts->blocks) {
      const std::set<ValueId> loaded = loaded_from(*function.facts, block, field);
      if (loaded.empty()) continue;
      for (const Fact& fact : block.facts) {
        const Call* call = call_of(*function.facts, fact);
        if (call == nullptr) continue;
        if (reads_on_host(*call) && loaded.contains(call->receiver.value)) return true;
        if (may_want_host(*call) &&
            std::ranges::any_of(call->arguments, [&](const Operand& argument) {
              return loaded.contains(argument.value);
            }))
          return true;
      }
    }
  }
  return false;
}

}  // namespace xfer::analyzer
