// Finds: a local variable that gets the result of a transfer, and that nothing reads on any path
// before it ends or gets another value. Does not find: variables that a lambda, a reference or
// unseen code may read, fields, globals; transfers that are there to be timed or to warm up;
// variables marked as unused. Cost: per transfer into a local variable one walk over the blocks
// that follow.

#include <algorithm>
#include <set>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {
namespace {

struct At {
  BlockId block;
  std::size_t index = 0;
};

/// The store that is the only use of a value.
std::optional<At> only_store(const FunctionFacts& facts, ValueId value) {
  std::optional<At> found;
  for (const BlockId block : facts.blocks.ids())
    for (std::size_t index = 0; index < facts.blocks[block].facts.size(); ++index) {
      const Fact& fact = facts.blocks[block].facts[index];
      if (!uses(facts, fact, value)) continue;
      if (found || !fact.is<fact::Store>()) return std::nullopt;
      found = At{block, index};
    }
  return found;
}

class Liveness {
 public:
  Liveness(const FunctionFacts& facts, VariableId variable) : facts_(facts), variable_(variable) {}

  bool read_after(At store) {
    if (const auto known = scan(store.block, store.index + 1)) return *known;
    std::vector<BlockId> pending = facts_.blocks[store.block].successors;
    std::set<BlockId> seen(pending.begin(), pending.end());
    while (!pending.empty()) {
      const BlockId block = pending.back();
      pending.pop_back();
      const auto known = scan(block, 0);
      if (known && *known) return true;
      if (known) continue;
      for (const BlockId next : facts_.blocks[block].successors)
        if (seen.insert(next).second) pending.push_back(next);
    }
    return false;
  }

 private:
  /// True: read; false: given another value; none: neither here.
  std::optional<bool> scan(BlockId block, std::size_t from) const {
    const std::vector<Fact>& facts = facts_.blocks[block].facts;
    for (std::size_t index = from; index < facts.size(); ++index) {
      const Fact& fact = facts[index];
      if (const auto* end = fact.as<fact::End>(); end && end->variable == variable_) return false;
      if (const auto* store = fact.as<fact::Store>(); store && is_of(store->place)) {
        if (facts_.places[store->place].fields.empty()) return false;
        return true;
      }
      const auto* load = fact.as<fact::Load>();
      if (load == nullptr || !is_of(load->place)) continue;
      const bool target = load->why == LoadFor::kTarget ||
                          (load->why == LoadFor::kAssigned && !consumed(fact.value));
      if (!target) return true;
    }
    return std::nullopt;
  }
  bool is_of(PlaceId place) const { return place && facts_.places[place].root == variable_; }
  bool consumed(ValueId value) const {
    for (const Block& block : facts_.blocks)
      for (const Fact& fact : block.facts)
        if (uses(facts_, fact, value)) return true;
    return false;
  }

  const FunctionFacts& facts_;
  VariableId variable_;
};

bool fetches_or_copies(const Call& call) {
  return (call.model != nullptr && call.model->kind == CallKind::kTransfer) ||
         call.result.role == Role::kDevice || call.result.role == Role::kOptions;
}

/// The transfer is being timed, or is there for its effect on the device: something beside it
/// waits, the function looks at the clock, or a loop does nothing but fetch and copy.
bool measured(const CheckContext& context, BlockId id) {
  const FunctionFacts& facts = context.facts;
  const Block& block = facts.blocks[id];
  const bool computes =
      any_call(facts, block, [](const Call& call) { return !fetches_or_copies(call); });
  if (!computes && !context.graph.loops_around(id).empty()) return true;
  return any_call(facts, block, waits) ||
         std::any_of(facts.blocks.begin(), facts.blocks.end(),
                     [&](const Block& other) { return any_call(facts, other, asks_the_time); });
}

}  // namespace

void check_unused_transfer(const CheckContext& context) {
  check_unused_copies(context);
  const FunctionFacts& facts = context.facts;
  for (const TransferEvent& event : context.events.transfer_events) {
    if (!event.given || event.call->discarded) continue;
    const Fact* transfer = context.fact(event.fact);
    if (transfer == nullptr || !transfer->value) continue;
    const std::optional<At> store = only_store(facts, transfer->value);
    if (!store || measured(context, event.block) || context.tries_device(event)) continue;
    const Place& place =
        facts.places[facts.blocks[store->block].facts[store->index].as<fact::Store>()->place];
    const Variable& variable = facts.variables[place.root];
    // `x = x.to(device)` of what may be there already is no copy.
    const PlaceId source = event.call->receiver.place;
    if (!event.crosses && event.device.is_symbol() && source &&
        facts.places[source].root == place.root)
      continue;
    if (!place.fields.empty() || place.root == kThisVariable || !variable.tracked ||
        variable.global || variable.reference || variable.pointer ||
        variable.type.role != Role::kTensor || variable.referred || variable.unused_on_purpose)
      continue;
    if (Liveness(facts, place.root).read_after(*store)) continue;
    Finding finding = context.make(Rule::kUnusedTransfer, event.call->callee_spot,
                                   {{"operand", context.name(event.call->receiver)},
                                    {"device", context.short_text(event.device)},
                                    {"variable", variable.name}});
    context.add_choice(finding, event.device);
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
