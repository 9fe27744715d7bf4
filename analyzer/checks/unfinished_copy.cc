#include "analyzer/checks/unfinished_copy.h"

#include <algorithm>
#include <set>

namespace xfer::analyzer {
namespace {

struct Touch {
  PlaceId pointer;
  bool memory;
  SpotId at;
  BlockId block;
  std::string operand;
  FactId started;  ///< what the host has not waited for
  const Note* inside = nullptr;
};

/// Memory that a device may be at beside the host: the function says so, or the whole program.
bool is_shared(const CheckContext& context, const Object& object) {
  return object.kind != ObjectKind::kMemory || object.memory != Memory::kUnknown ||
         context.places_in_program(object).always_pinned();
}

/// The call is given a number that changes in a loop around it: each turn may be about a part of
/// its own, and the kernel about another.
bool may_be_of_a_part(const CheckContext& context, const NeedEvent& event, FactId started) {
  const Call* launch = context.call_of(started);
  if (launch == nullptr || launch->form != CallForm::kKernel) return false;
  const Call& call = *event.call;
  const std::vector<Formula>& numbers = context.amounts.numbers(context.facts.calls.id_of(call));
  const auto changes = [&](const Loop& loop) {
    for (std::size_t index = 0; index < numbers.size(); ++index) {
      const bool pointer = index < call.arguments.size() && call.arguments[index].value;
      if (!pointer && !context.amounts.same_in(numbers[index], loop.blocks)) return true;
    }
    return false;
  };
  return context.widest_loop(event.block, changes) != nullptr;
}

/// The host waits for a device by looking there, again and again: what both do there is theirs.
bool is_polled(const CheckContext& context, PlaceId pointer) {
  return std::ranges::any_of(context.facts.blocks, [&](const Block& block) {
    return std::ranges::any_of(block.facts, [&](const Fact& fact) {
      const auto* access = fact.as<fact::Access>();
      return access != nullptr && access->polls && access->place == pointer;
    });
  });
}

/// Says the first touch of each copy, or of what each launch works on.
class Report {
 public:
  Report(const CheckContext& context, const Unfinished& what) : context_(context), what_(what) {}

  void touch(const Touch& touch) {
    const Call* call = context_.call_of(touch.started);
    if (call == nullptr || !context_.unguarded(touch.block, true) ||
        (touch.memory && !by_the_same_pointer(*call, touch.pointer)) ||
        is_polled(context_, touch.pointer) || !told_.insert(touch.started).second)
      return;
    const bool kernel = call->form == CallForm::kKernel;
    const std::string work = kernel ? "`" + call->name + "`" + what_.kernel : what_.copy;
    Finding finding =
        context_.make(what_.rule, touch.at, {{"operand", touch.operand}, {"work", work}});
    const std::string what = kernel ? "the kernel" : "the copy";
    finding.notes.push_back(
        context_.note(call->callee_spot, what + " starts here; no sync comes before the access"));
    if (touch.inside != nullptr) finding.notes.push_back(*touch.inside);
    context_.findings.push_back(std::move(finding));
  }

 private:
  /// The call was given the pointer as it is now: another one may point to another part.
  bool by_the_same_pointer(const Call& call, PlaceId pointer) const {
    return pointer && times_set(pointer) < 2 &&
           std::ranges::any_of(
               call.arguments, [&](const Operand& argument) { return argument.place == pointer; });
  }
  /// By the function; null pointers aside.
  unsigned times_set(PlaceId pointer) const {
    unsigned times = 0;
    std::set<ValueId> nulls;
    for (const Block& block : context_.facts.blocks)
      for (const Fact& fact : block.facts) {
        const auto* made = fact.as<fact::Fresh>();
        if (made != nullptr && made->known == Known::kEmpty) nulls.insert(fact.value);
        const auto* store = fact.as<fact::Store>();
        times += store != nullptr && store->place == pointer && !nulls.contains(store->from);
        if (const Call* call = call_of(context_.facts, fact))
          times += std::ranges::any_of(call->arguments, [&](const Operand& argument) {
            return argument.address && argument.place == pointer;
          });
      }
    return times;
  }

  const CheckContext& context_;
  const Unfinished& what_;
  std::set<FactId> told_;
};

}  // namespace

void report_unfinished(const CheckContext& context, const Unfinished& what) {
  Report report(context, what);
  for (const DataEvent& event : context.events.data_events)
    if (event.use == what.use && is_shared(context, event.object))
      report.touch({event.place, event.object.kind == ObjectKind::kMemory, event.spot, event.block,
                    context.name(event.spot, event.role), event.object.*what.work});
  for (const NeedEvent& event : context.events.need_events) {
    const OperandView& given = event.first;
    if (!(event.need->*what.needed) || given.operand == nullptr ||
        given.object.kind != ObjectKind::kMemory || !is_shared(context, given.object) ||
        may_be_of_a_part(context, event, given.object.*what.work))
      continue;
    const Note inside = {event.need->at,
                         "`" + event.call->name + "` accesses it here: " + event.need->what};
    report.touch({given.operand->place, true,
                  event.call->callee_spot ? event.call->callee_spot : event.call->spot, event.block,
                  context.name(given.spot, Role::kMemory), given.object.*what.work, &inside});
  }
}

}  // namespace xfer::analyzer
