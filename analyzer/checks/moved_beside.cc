#include "analyzer/checks/moved_beside.h"

#include <algorithm>
#include <set>

namespace xfer::analyzer {
namespace {

bool has(const std::vector<Device>& places, Device device) {
  return std::ranges::find(places, device) != places.end();
}

/// The places that must be one for it to be there. `some`: also those of which it is one.
void add_places(const SymbolTable& symbols, Device device, bool some, std::vector<Device>& places) {
  if (has(places, device)) return;
  places.push_back(device);
  if (!device.is_symbol()) return;
  for (const Device one : symbols[device.symbol].all_of) add_places(symbols, one, some, places);
  if (some)
    for (const Device one : symbols[device.symbol].one_of) add_places(symbols, one, some, places);
}

/// What the function made may have parts that come from apart: it put them there, or gave them to
/// what did.
bool made_of_several(const CheckContext& context, ObjectId whole, VersionId version) {
  const OriginTable::Entry& made = context.origins[whole];
  if (made.origin == Origin::kVariable) return version == first_version(whole);
  const Call* call = made.origin == Origin::kFact ? context.call_of(made.fact()) : nullptr;
  return call != nullptr && std::ranges::count(call->arguments, Role::kTensor, &Operand::role) > 1;
}

/// Where a tensor is, or something with tensors in it.
bool of_tensors(const CheckContext& context, const Symbol& symbol) {
  if (symbol.of_device || symbol.returned) return false;
  if (symbol.origin == Origin::kField)
    return context.unit.fields[symbol.field].type.role != Role::kModule;
  const std::vector<VariableId>& parameters = context.facts.parameters;
  if (symbol.origin != Origin::kParameter || symbol.parameter >= parameters.size()) return true;
  return context.facts.variables[parameters[symbol.parameter]].type.role != Role::kModule;
}

enum class Kin { kNone, kPerhaps, kSure };

/// What is at one came from where the other did.
Kin kin(const CheckContext& context, Device one, Device other) {
  if (!one.is_symbol() || !other.is_symbol()) return Kin::kNone;
  const Symbol& a = context.symbols[one.symbol];
  const Symbol& b = context.symbols[other.symbol];
  if (!of_tensors(context, a) || !of_tensors(context, b)) return Kin::kNone;
  if (one.symbol == other.symbol) return Kin::kSure;
  if (a.base && a.base == b.base && a.version == b.version) {
    if (context.origins[a.base].origin == Origin::kThis) return Kin::kPerhaps;
    return made_of_several(context, a.base, a.version) ? Kin::kNone : Kin::kSure;
  }
  const bool parameters = a.origin == Origin::kParameter && b.origin == Origin::kParameter;
  return parameters ? Kin::kPerhaps : Kin::kNone;
}

}  // namespace

MovedBeside::MovedBeside(const CheckContext& context) : context_(context) {
  for (const TransferEvent& event : context.events.transfer_events) {
    const Device from = event.source_object.device;
    if (event.given && from.is_symbol() && context.unguarded(event.block, false) &&
        may_be_cuda(event.device))
      moves_.push_back(&event);
  }
  if (moves_.empty()) return;
  const auto meet = [&](const auto& event, const OperandView& one, const OperandView& other) {
    if (one.object.device.is_symbol() || other.object.device.is_symbol())
      met_.push_back({one.object.device, other.object.device, event.block});
  };
  for (const OperandsEvent& event : context.events.operand_events)
    if (!event.indexing && !event.zero_dim_cpu)
      for (const OperandView& one : event.operands) meet(event, one, event.operands.front());
  for (const NeedEvent& event : context.events.need_events)
    if (!event.need->host_access && !event.need->zero_dim_cpu)
      meet(event, event.first, event.second);
}

/// What meets is in one place, or the function has failed.
void MovedBeside::add_agreeing(const Meeting& at, const std::vector<Device>& lefts,
                               std::vector<Device>& places) const {
  for (std::size_t known = 0; known != places.size();) {
    known = places.size();
    for (const auto& [one, other, block] : met_) {
      if (has(lefts, one) || has(lefts, other) || has(places, one) == has(places, other)) continue;
      if (block != at.block && !context_.graph.dominates(block, at.block) &&
          !context_.graph.follows(block, at.block))
        continue;
      add_places(context_.symbols, has(places, one) ? other : one, false, places);
    }
  }
}

bool MovedBeside::may_be_cuda(Device device) const {
  if (!device.is_symbol()) return device.is_cuda();
  Object there;
  there.device = device;
  const PlaceSet places = context_.places_in_program(there);
  return !places.always_cpu() && (context_.symbols.may_be_cuda(device) || places.may_be_cuda());
}

bool MovedBeside::nothing_known(const OperandView& view) const {
  if (view.module || !view.object.device.is_symbol()) return false;
  const PlaceSet places = context_.places_in_program(view.object);
  return places.empty() ||
         !places.has(static_cast<std::uint8_t>(~(PlaceSet::kUnknown | PlaceSet::kCpu)));
}

const TransferEvent* MovedBeside::beside(const Meeting& at, Device left,
                                         const Object& other_object) const {
  const Device other = other_object.device;
  const bool on_cuda = context_.places_in_program(other_object).may_be_cuda();
  std::vector<Device> lefts, always, sometimes;
  add_places(context_.symbols, left, false, lefts);
  add_places(context_.symbols, other, false, always);
  add_agreeing(at, lefts, always);
  add_places(context_.symbols, other, true, sometimes);
  const auto comes_to = [&](const TransferEvent& event) {
    if (on_cuda || has(always, event.device))
      return context_.graph.dominates(event.block, at.block);
    return has(sometimes, event.device) && context_.graph.follows(at.block, event.block);
  };
  for (const Device place : lefts) {
    const TransferEvent* moved = nullptr;
    std::set<SymbolId> places;
    for (const TransferEvent* event : moves_) {
      if (!comes_to(*event)) continue;
      switch (kin(context_, place, event->source_object.device)) {
        case Kin::kSure: return event;
        case Kin::kPerhaps:
          moved = event;
          places.insert(event->source_object.device.symbol);
          break;
        case Kin::kNone: break;
      }
    }
    if (places.size() > 1) return moved;
  }
  return nullptr;
}

bool MovedBeside::judge_left(const Meeting& at, const OperandView& left, const OperandView& other,
                             bool left_first) {
  if (!nothing_known(left)) return false;
  std::vector<Device> lefts;
  add_places(context_.symbols, left.object.device, false, lefts);
  // The first operation tells.
  if (std::ranges::any_of(lefts, [&](Device place) { return has(told_, place); })) return true;
  const TransferEvent* moved = beside(at, left.object.device, other.object);
  if (moved == nullptr) return false;
  OperandView cpu = left;
  cpu.object.device = Device::cpu();
  if (at.indexing && (!left_first || !wrong_index(cpu, other))) return false;
  if (context_.program->known(context_.unit_number, context_.sources_of(left.object)).rank ==
      Rank::kZero)
    return false;
  if (left.object.rank == Rank::kZero && at.zero_dim_cpu) return false;
  const std::string source = context_.name(moved->call->receiver.spot, Role::kTensor);
  Finding finding =
      describe(context_, at.call, {&left, &other}, "the device that " + source + " was moved from",
               context_.short_text(moved->device));
  finding.notes.push_back(context_.note(
      moved->call->spot, source + " was moved to " + context_.short_text(moved->device) + " here"));
  add_circumstances(at, finding);
  context_.findings.push_back(std::move(finding));
  told_.insert(told_.end(), lefts.begin(), lefts.end());
  return true;
}

bool MovedBeside::judge(const Meeting& at, const OperandView& a, const OperandView& b) {
  if (moves_.empty() || context_.program == nullptr || !context_.unguarded(at.block, true) ||
      relate(a.object.device, b.object.device) == Relation::kSame)
    return false;
  return judge_left(at, a, b, true) || judge_left(at, b, a, false);
}

}  // namespace xfer::analyzer
