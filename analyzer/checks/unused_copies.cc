// unused-transfer for raw memory.
//
// Finds: a copy to memory that the function allocated and does nothing else with; a copy to memory
// of the host that the function made, and that nothing reads from there on. Does not find: memory
// that another function may read, that has another name, or that is copied to under way to a place
// that is not known; functions that read a clock. Cost: one walk over the facts for each copy.

#include <algorithm>
#include <cctype>
#include <set>

#include "analyzer/checks/memory_copies.h"

namespace xfer::analyzer {
namespace {

/// Only the function names it, and neither a mark nor its name calls it unused on purpose.
bool is_own(const Variable& variable) {
  return variable.tracked && !variable.global && !variable.reference && !variable.referred &&
         !variable.unused_on_purpose && variable.parameter == ~0U;
}

std::set<ValueId> loads_of(const FunctionFacts& facts, VariableId variable) {
  std::set<ValueId> loads;
  for (const Block& block : facts.blocks)
    for (const Fact& fact : block.facts)
      if (const auto* load = fact.as<fact::Load>();
          load != nullptr && facts.places[load->place].root == variable)
        loads.insert(fact.value);
  return loads;
}

/// How often a variable's name stands in the function's text behind the copy: in what another
/// configuration compiles and in comments too, where a person would look for its use.
std::size_t named_after(const CheckContext& context, const Call& copy, VariableId variable) {
  const FunctionFacts& facts = context.facts;
  const Spot at = context.spot(copy.spot);
  std::uint32_t end = at.end;
  for (const Spot& spot : facts.spots)
    if (spot.file == at.file) end = std::max(end, spot.end);
  const std::string text = context.source.raw({at.file, at.end, at.end, end});
  const std::string& name = facts.variables[variable].name;
  const auto is_part = [&](std::size_t index) {
    return index < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[index])) != 0 || text[index] == '_');
  };
  std::size_t count = 0;
  for (std::size_t found = text.find(name); found != std::string::npos;
       found = text.find(name, found + 1))
    count += !(found > 0 && is_part(found - 1)) && !is_part(found + name.size());
  return count;
}

/// How many arguments of the calls behind the copy have one of these values.
std::size_t given_after(const CheckContext& context, const Call& copy,
                        const std::set<ValueId>& values) {
  const Spot at = context.spot(copy.spot);
  std::size_t count = 0;
  for (const Call& call : context.facts.calls) {
    const Spot spot = context.spot(call.spot);
    if (spot.file == at.file && spot.at >= at.end)
      count += std::ranges::count_if(
          call.arguments, [&](const Operand& argument) { return values.contains(argument.value); });
  }
  return count;
}

/// All that the function does with the local pointer is to allocate, to copy to and to free where
/// it points.
bool only_copied_to(const CheckContext& context, const MemoryCopyEvent& copy) {
  const FunctionFacts& facts = context.facts;
  const Operand& pointer = *copy.to.operand;
  if (!pointer.place || !facts.places[pointer.place].fields.empty()) return false;
  const VariableId id = facts.places[pointer.place].root;
  if (!is_own(facts.variables[id])) return false;
  const std::set<ValueId> loads = loads_of(facts, id);
  const auto allowed = [&](const Call& call) {
    if (call.has_receiver && loads.count(call.receiver.value) != 0) return false;
    for (std::size_t index = 0; index < call.arguments.size(); ++index) {
      if (loads.count(call.arguments[index].value) == 0) continue;
      const bool owns = call.model != nullptr && (call.model->kind == CallKind::kAllocate ||
                                                  call.model->kind == CallKind::kFree);
      const bool target = call.model != nullptr && call.model->kind == CallKind::kCopy &&
                          call.model->operands[0] == index;
      if (!owns && !target) return false;
    }
    return true;
  };
  for (const Block& block : facts.blocks)
    for (const Fact& fact : block.facts) {
      const Call* call = call_of(facts, fact);
      if (call != nullptr ? !allowed(*call) : std::ranges::any_of(loads, [&](ValueId value) {
            return uses(facts, fact, value);
          }))
        return false;
    }
  return named_after(context, *copy.call, id) <= given_after(context, *copy.call, loads);
}

/// The function's uses of host memory that one of its variables has. Other readers of the memory
/// are unknown here.
class HostMemory {
 public:
  HostMemory(const CheckContext& context, ObjectId memory)
      : context_(context), facts_(context.facts) {
    const OriginTable::Entry& made = context.origins[memory];
    const Fact* fact = made.origin == Origin::kFact ? context.fact(made.fact()) : nullptr;
    if (fact == nullptr || !fact->value) return;
    for (const Block& block : facts_.blocks)
      for (const Fact& one : block.facts)
        if (uses(facts_, one, fact->value)) keep(one);
  }

  /// Nothing but this function reads it, and nothing does where paths from the copy lead.
  bool unread_after(const MemoryCopyEvent& copy) {
    if (variable_ == VariableId() || shared_ || !is_own(facts_.variables[variable_])) return false;
    loads_ = loads_of(facts_, variable_);
    for (const Call& call : facts_.calls)
      freed_ += call.model != nullptr && call.model->kind == CallKind::kFree &&
                !call.arguments.empty() && loads_.contains(call.arguments.front().value);
    if (has_other_names() || named_after(context_, *copy.call, variable_) > freed_) return false;
    std::vector<BlockId> pending = facts_.blocks[copy.block].successors;
    std::set<BlockId> seen(pending.begin(), pending.end());
    const FactId first = context_.numbers.first_of(copy.block);
    if (reads(copy.block, copy.fact.number() - first.number() + 1)) return false;
    while (!pending.empty()) {
      const BlockId block = pending.back();
      pending.pop_back();
      if (reads(block, 0)) return false;
      for (const BlockId next : facts_.blocks[block].successors)
        if (seen.insert(next).second) pending.push_back(next);
    }
    return true;
  }

 private:
  /// Of what the memory is made: one variable has it.
  void keep(const Fact& fact) {
    const auto* store = fact.as<fact::Store>();
    const bool whole = store != nullptr && facts_.places[store->place].fields.empty();
    shared_ |= !whole || variable_ != VariableId();
    if (whole) variable_ = facts_.places[store->place].root;
  }
  /// A use that is neither an access nor a call stores or returns it: before the copy too.
  bool has_other_names() const {
    return std::ranges::any_of(facts_.blocks, [&](const Block& block) {
      return std::ranges::any_of(block.facts, [&](const Fact& fact) {
        return !fact.is<fact::Access>() && !fact.is<fact::Invoke>() &&
               std::ranges::any_of(loads_,
                                   [&](ValueId value) { return uses(facts_, fact, value); });
      });
    });
  }
  bool reads(BlockId block, std::size_t from) {
    const std::vector<Fact>& facts = facts_.blocks[block].facts;
    return std::any_of(facts.begin() + static_cast<std::ptrdiff_t>(std::min(from, facts.size())),
                       facts.end(), [&](const Fact& fact) { return reads(fact); });
  }
  bool reads(const Fact& fact) const {
    return std::ranges::any_of(loads_, [&](ValueId value) {
      if (!uses(facts_, fact, value)) return false;
      const Call* call = call_of(facts_, fact);
      if (call == nullptr || call->model == nullptr) return true;
      if (call->model->kind == CallKind::kFree) return false;
      if (call->model->kind != CallKind::kCopy) return true;
      // A later copy to it reads nothing of this one.
      const std::vector<unsigned>& operands = call->model->operands;
      return operands.empty() || operands.front() >= call->arguments.size() ||
             call->arguments[operands.front()].value != value;
    });
  }

  const CheckContext& context_;
  const FunctionFacts& facts_;
  VariableId variable_;
  bool shared_ = false;
  std::set<ValueId> loads_;
  std::size_t freed_ = 0;  ///< how many calls free it
};

bool is_unused(const CheckContext& context, const MemoryCopyEvent& event) {
  const Object& to = event.to.object;
  if (event.call->direction == Direction::kDeviceToHost && to.memory == Memory::kPageable)
    return to.placed == Placed::kMade && HostMemory(context, event.to.id).unread_after(event);
  return allocation_of(context, to) != nullptr && only_copied_to(context, event);
}

}  // namespace

void check_unused_copies(const CheckContext& context) {
  const auto& blocks = context.facts.blocks;
  const bool timed = std::any_of(blocks.begin(), blocks.end(), [&](const Block& block) {
    return any_call(context.facts, block, asks_the_time);
  });
  // Unparsed code may use anything.
  if (timed || context.facts.unreadable) return;
  for (const MemoryCopyEvent& event : context.events.memory_copy_events) {
    if (!event.certain || !crosses(event) || !is_unused(context, event)) continue;
    context.findings.push_back(
        context.make(Rule::kUnusedTransfer, event.call->callee_spot,
                     {{"operand", context.name(event.from.spot, Role::kMemory)},
                      {"device", place_of(event)},
                      {"variable", context.source.text(context.spot(event.to.spot))}}));
  }
}

}  // namespace xfer::analyzer
