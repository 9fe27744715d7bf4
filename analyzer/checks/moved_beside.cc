#include "analyzer/checks/moved_beside.h"

#include <algorithm>
#include <set>

namespace xfer::analyzer {
namespace {

/// An object that the function made may have parts of several origins: the function put them there,
/// or passed them to the call that did.
bool made_of_several(const CheckContext& context, ObjectId whole, VersionId version) {
  if (context.origins[whole].origin == Origin::kVariable) return version == first_version(whole);
  const Call* call = context.made_by(whole);
  return call != nullptr && std::ranges::count(call->arguments, Role::kTensor, &Operand::role) > 1;
}

enum class What { kNothing, kTensors, kModule };

/// Whether the symbol is the place of tensors or of a module.
What what(const CheckContext& context, const Symbol& symbol) {
  if (symbol.of_device || symbol.returned) return What::kNothing;
  if (symbol.loaded) return What::kModule;
  return holder_role(context, symbol) == Role::kModule ? What::kModule : What::kTensors;
}

enum class Kin { kNone, kPerhaps, kSure };

/// Whether the values at `one` came from where those at `other` did.
Kin kin(const CheckContext& context, Device one, Device other) {
  if (!one.is_symbol() || !other.is_symbol()) return Kin::kNone;
  const Symbol& a = context.symbols[one.symbol];
  const Symbol& b = context.symbols[other.symbol];
  const What kind = what(context, a);
  if (kind == What::kNothing || kind != what(context, b)) return Kin::kNone;
  if (one.symbol == other.symbol) return kind == What::kModule ? Kin::kNone : Kin::kSure;
  if (a.loaded && b.loaded) return Kin::kSure;
  if (a.base && a.base == b.base && a.version == b.version) {
    if (context.origins[a.base].origin == Origin::kThis) return Kin::kPerhaps;
    return made_of_several(context, a.base, a.version) ? Kin::kNone : Kin::kSure;
  }
  const bool parameters = a.origin == Origin::kParameter && b.origin == Origin::kParameter;
  return parameters ? Kin::kPerhaps : Kin::kNone;
}

/// It made what is moved like something else: that goes where it is used, whatever the other does.
bool made_like(const CheckContext& context, ObjectId moved) {
  const Call* call = context.made_by(moved);
  return call != nullptr && call->model != nullptr &&
         call->model->result == Placement::kArgumentsOrFirst;
}

}  // namespace

MovedBeside::MovedBeside(const CheckContext& context, const Agreements& agreements)
    : context_(context), agreements_(agreements) {
  for (const TransferEvent& event : context.events.transfer_events)
    if (event.given && !made_like(context, event.source))
      add({event.call, event.source_object.device, event.device, event.block});
  for (const ModuleMoveEvent& event : context.events.module_moves)
    add({event.call, event.from, event.device, event.block});
}

void MovedBeside::add(const Move& move) {
  if (move.from.is_symbol() && context_.unguarded(move.block, false) &&
      is_device_value(context_, move.to) && may_be_cuda(context_, move.to))
    moves_.push_back(move);
}

const MovedBeside::Move* MovedBeside::beside(const Meeting& at, const std::vector<Device>& lefts,
                                             Device other) const {
  const bool on_cuda = context_.places_in_program(other).may_be_cuda();
  std::vector<Device> sometimes;
  const std::vector<Device> always = agreements_.with(other, at.block, lefts);
  add_places(context_.symbols, other, Places::kPossible, sometimes);
  const auto comes_to = [&](const Move& move) {
    if (on_cuda || has(always, move.to)) return context_.graph.dominates(move.block, at.block);
    return has(sometimes, move.to) && context_.graph.follows(at.block, move.block);
  };
  for (const Device place : lefts) {
    const Move* moved = nullptr;
    std::set<SymbolId> places;
    for (const Move& move : moves_) {
      if (has(lefts, move.to) || !comes_to(move)) continue;
      switch (kin(context_, place, move.from)) {
        case Kin::kSure: return &move;
        case Kin::kPerhaps:
          moved = &move;
          places.insert(move.from.symbol);
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
  if (is_own(left) || !nobody_knows(context_, left.object.device)) return false;
  // The first operation tells.
  if (comes_from(context_.symbols, left.object.device, told_)) return true;
  std::vector<Device> lefts;
  add_places(context_.symbols, left.object.device, Places::kAgreeing, lefts);
  const Move* moved = beside(at, lefts, other.object.device);
  if (moved == nullptr) return false;
  OperandView cpu = left;
  cpu.object.device = Device::cpu();
  if (at.indexing && (!left_first || !wrong_index(cpu, other))) return false;
  if (context_.program->known(context_.unit_number, context_.sources_of(left.object)).rank ==
      Rank::kZero)
    return false;
  if (left.object.rank == Rank::kZero && at.zero_dim_cpu) return false;
  const std::string source = context_.name(moved->call->receiver.spot, moved->call->receiver.role);
  Finding finding =
      describe(context_, at.call, {&left, &other}, "the device that " + source + " was moved from",
               context_.short_text(moved->to));
  finding.notes.push_back(context_.note(
      moved->call->spot, source + " was moved to " + context_.short_text(moved->to) + " here"));
  add_circumstances(at, finding);
  say(context_, at, std::move(finding));
  told_.insert(told_.end(), lefts.begin(), lefts.end());
  return true;
}

bool MovedBeside::judge(const Meeting& at, const OperandView& a, const OperandView& b) {
  return !moves_.empty() && (judge_left(at, a, b, true) || judge_left(at, b, a, false));
}

}  // namespace xfer::analyzer
