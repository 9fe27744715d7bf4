// Finds: a tensor or module member that a constructor makes on the CPU without registering it, and
// that forward uses with its input, in a class of which a module is moved; methods and the move may
// be in other units. Does not find: members that any other code assigns, moves or hands on to what
// may keep them; classes of which a method's body is not seen; modules that are never moved;
// scalars where a CPU scalar may meet CUDA tensors. Cost: one look at each store, load and
// operation in methods of module classes.

#include <algorithm>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {
namespace {

/// An operation on tensors leaves them where they are, and keeps none of them.
bool only_computes(const Call& call) {
  return call.model != nullptr && !call.model->exposes && !call.model->reseats &&
         call.receiver.role != Role::kModule &&
         (call.model->kind == CallKind::kPlain || call.model->kind == CallKind::kTransfer);
}

/// The value is given to something that may keep it, or put it elsewhere.
bool handed_on(const FunctionFacts& facts, const Block& block, ValueId value) {
  for (const Fact& fact : block.facts) {
    const Call* call = call_of(facts, fact);
    const bool hands = call != nullptr ? !only_computes(*call)
                                       : fact.is<fact::Store>() || fact.is<fact::Lose>() ||
                                             fact.is<fact::Return>() || fact.is<fact::List>();
    if (hands && uses(facts, fact, value)) return true;
  }
  return false;
}

bool runs_forward(const FunctionFacts& facts) { return facts.this_class && facts.is_forward; }

class Gather {
 public:
  explicit Gather(const CheckContext& context)
      : context_(context), facts_(context.facts), fields_(context.unit.fields) {}

  void run() {
    for (const Block& block : facts_.blocks)
      for (const Fact& fact : block.facts) {
        if (const auto* load = fact.as<fact::Load>(); load && load->why != LoadFor::kTarget)
          note_load(block, load->place, fact.value);
        if (const auto* of = fact.as<fact::FieldOf>();
            of && watched(of->field) && handed_on(facts_, block, fact.value))
          member(of->field).uses.changed = true;
        if (const auto* store = fact.as<fact::Store>()) note_store(store->place);
      }
    for (const ModuleMoveEvent& event : context_.events.module_moves) note_move(event);
    for (const FieldEvent& event : context_.events.field_events) note_value(event);
    if (runs_forward(facts_)) note_uses();
  }

 private:
  bool watched(FieldId id) const {
    const Field& field = fields_[id];
    const bool followed = field.type.role == Role::kTensor || field.type.role == Role::kModule;
    return followed && !field.registered && !field.unreadable && context_.unit[field.owner].module;
  }
  MemberFacts& member(FieldId id) {
    MemberFacts& entry = context_.members.members[id];
    entry.name = fields_[id].name;
    entry.module = fields_[id].type.role == Role::kModule;
    return entry;
  }
  std::optional<FieldId> field_of(PlaceId id) const {
    const Place& place = facts_.places[id];
    if (place.fields.empty() || !watched(place.fields.back())) return std::nullopt;
    return place.fields.back();
  }
  bool own(FieldId field, PlaceId id) const {
    return facts_.places[id].root == kThisVariable && facts_.places[id].fields.size() == 1 &&
           facts_.this_class && facts_.this_class == fields_[field].owner;
  }

  void note_store(PlaceId place) {
    const std::optional<FieldId> field = field_of(place);
    if (field && (!own(*field, place) || !facts_.is_constructor))
      member(*field).uses.changed = true;
  }
  void note_load(const Block& block, PlaceId place, ValueId value) {
    const std::optional<FieldId> field = field_of(place);
    if (!field || (own(*field, place) && runs_forward(facts_))) return;
    if (handed_on(facts_, block, value)) member(*field).uses.changed = true;
  }
  void note_value(const FieldEvent& event) {
    const std::optional<FieldId> field = field_of(event.place);
    if (!field || !own(*field, event.place) || !facts_.is_constructor) return;
    MemberFacts& entry = member(*field);
    // The code outside the constructor that made it knows where it is.
    entry.uses.changed |= event.from_outside;
    const bool module = event.object.kind == ObjectKind::kModule;
    const bool made =
        event.object.placed == Placed::kMade && (event.object.device.is_cpu() || module);
    // `torch::ones({n, n}).triu(1)`: of what was made there.
    const bool computed =
        event.object.placed == Placed::kComputed && event.object.device.is_cpu() && !module;
    if (!made && !computed) return;
    // A module without parameters leaves nothing behind.
    if (event.object.escaped || (module && event.object.strict == Strict::kNo)) return;
    entry.made_on_cpu = true;
    entry.scalar = event.object.rank != Rank::kNonZero;
    entry.made = context_.at(event.spot);
  }
  void note_move(const ModuleMoveEvent& event) {
    const ClassId record = event.call->receiver_record;
    if (!record || event.device.is_cpu()) return;
    context_.members.moved.try_emplace(record, context_.at(event.call->callee_spot));
  }

  std::optional<FieldId> own_field(ObjectId base, FieldId id) const {
    if (context_.origins[base].origin != Origin::kThis || !fields_.has(id) || !watched(id))
      return std::nullopt;
    return id;
  }
  /// The member as the object was before the method ran.
  std::optional<FieldId> initial(ObjectId id) const {
    const OriginTable::Entry& origin = context_.origins[id];
    return origin.origin == Origin::kField ? own_field(origin.whole(), origin.field())
                                           : std::nullopt;
  }
  /// The member, or what was computed from it alone: that is where the member is.
  std::optional<FieldId> comes_from(const OperandView& view) const {
    if (const std::optional<FieldId> field = initial(view.id)) return field;
    if (!view.object.device.is_symbol()) return std::nullopt;
    const Symbol& symbol = context_.symbols[view.object.device.symbol];
    return symbol.origin == Origin::kField && symbol.initial ? own_field(symbol.base, symbol.field)
                                                             : std::nullopt;
  }
  bool from_outside(const OperandView& view) const {
    return view.module || from_outside(view.object.device);
  }
  bool from_outside(Device device) const {
    if (!device.is_symbol()) return false;
    const Symbol& symbol = context_.symbols[device.symbol];
    return symbol.origin == Origin::kParameter || symbol.origin == Origin::kThis ||
           std::ranges::any_of(symbol.all_of, [&](Device one) { return from_outside(one); });
  }
  void note_use(FieldId field, SpotId spot, bool scalars) {
    MemberFacts& entry = member(field);
    entry.uses.used = true;
    entry.uses.used_where_scalars_may_be &= scalars;
    entry.uses.use = context_.at(spot);
  }
  void note_uses() {
    for (const OperandsEvent& event : context_.events.operand_events) {
      for (const OperandView& view : event.operands) {
        const std::optional<FieldId> field = comes_from(view);
        if (!field || fields_[*field].type.role != Role::kTensor) continue;
        // A part of it may be a scalar.
        if (event.zero_dim_cpu && !initial(view.id) && view.object.rank != Rank::kNonZero) continue;
        const bool meets = std::any_of(
            event.operands.begin(), event.operands.end(), [&](const OperandView& other) {
              return other.id != view.id && !comes_from(other) && from_outside(other);
            });
        if (meets) note_use(*field, event.call->callee_spot, event.zero_dim_cpu);
      }
    }
    for (const BlockId id : facts_.order)
      for (const Fact& fact : facts_.blocks[id].facts) {
        const Call* made = call_of(facts_, fact);
        if (made == nullptr) continue;
        const Call& call = *made;
        if (!call.has_receiver || call.receiver.role != Role::kModule || !call.runs_forward)
          continue;
        if (!call.receiver.place) continue;
        const std::optional<FieldId> field = field_of(call.receiver.place);
        if (field && own(*field, call.receiver.place) && context_.unguarded(id, false))
          note_use(*field, call.callee_spot, false);
      }
  }

  const CheckContext& context_;
  const FunctionFacts& facts_;
  const Table<FieldId, Field, std::deque<Field>>& fields_;
};

}  // namespace

void check_unregistered_tensor(const CheckContext& context) { Gather(context).run(); }

void finish_unregistered_tensor(const ModuleMembers& members, const Unit& unit,
                                std::vector<Finding>& findings) {
  const std::map<ClassId, Location> moved = all_moved(members, unit);
  for (const auto& [field, member] : members.members) {
    if (!member.made_on_cpu || !member.uses.used || member.uses.changed) continue;
    if (!member.module && member.scalar && member.uses.used_where_scalars_may_be) continue;
    const Class& owner = unit[unit.fields[field].owner];
    const auto move = moved.find(unit.fields[field].owner);
    if (move == moved.end() || !std::ranges::all_of(owner.elsewhere, [&](FunctionId method) {
          return members.seen_elsewhere.contains(method);
        }))
      continue;
    Finding finding;
    finding.rule = Rule::kUnregisteredTensor;
    finding.severity = info(finding.rule).severity;
    finding.confidence = Confidence::kCertain;
    finding.location = member.made;
    finding.message = format_message(
        info(finding.rule).lint_message,
        {{"member", "`" + member.name + "`"},
         {"class", "`" + owner.name + "`"},
         {"remedy", member.module ? "register_module" : "register_buffer or register_parameter"}});
    finding.notes.push_back({member.uses.use, "forward uses it with its input here"});
    finding.notes.push_back({move->second, "the module is moved here, and the member stays"});
    findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
