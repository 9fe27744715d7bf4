// Finds: a tensor or module member that a constructor makes on the CPU without registering it, and
// that forward uses with its input, in a class of which a module is moved; methods and the move may
// be in other units. Does not find: members that any other code assigns, moves or hands on to what
// may keep them; classes of which a method's body is not seen; modules that are never moved;
// scalars where a CPU scalar may meet CUDA tensors. Cost: one look at each store, load and
// operation in methods of module classes.

#include <clang/AST/DeclCXX.h>

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
    if (fact.kind == FactKind::kStore || fact.kind == FactKind::kLose ||
        fact.kind == FactKind::kReturn || fact.kind == FactKind::kList) {
      if (std::find(fact.operands.begin(), fact.operands.end(), value) != fact.operands.end())
        return true;
    }
    if (fact.kind != FactKind::kCall) continue;
    const Call& call = facts.calls[fact.call];
    if (only_computes(call)) continue;
    if (call.has_receiver && call.receiver.value == value) return true;
    for (const Operand& operand : call.arguments)
      if (operand.value == value) return true;
  }
  return false;
}

bool runs_forward(const FunctionFacts& facts) {
  return facts.this_class != nullptr && facts.name == "forward";
}

class Gather {
 public:
  explicit Gather(const CheckContext& context) : context_(context), facts_(context.facts) {}

  void run() {
    for (const Block& block : facts_.blocks)
      for (const Fact& fact : block.facts) {
        if (fact.kind == FactKind::kLoad && fact.index != kLoadOfTarget) note_load(block, fact);
        if (fact.kind == FactKind::kFieldOf && fact.index < facts_.fields.size() &&
            watched(facts_.fields[fact.index]) && handed_on(facts_, block, fact.value))
          member(facts_.fields[fact.index]).uses.changed = true;
        if (fact.kind == FactKind::kStore) note_store(fact);
      }
    for (const ModuleMoveEvent& event : context_.events.module_moves) note_move(event);
    for (const FieldEvent& event : context_.events.field_events) note_value(event);
    if (runs_forward(facts_)) note_uses();
  }

 private:
  bool watched(const Field& field) const {
    const bool followed = field.type.role == Role::kTensor || field.type.role == Role::kModule;
    const auto* record = field.decl == nullptr
                             ? nullptr
                             : llvm::dyn_cast<clang::CXXRecordDecl>(field.decl->getParent());
    return followed && !field.registered && !field.unreadable && record != nullptr &&
           context_.types.is_module(*record);
  }
  MemberFacts& member(const Field& field) {
    MemberFacts& entry = context_.members.members[field.decl->getCanonicalDecl()];
    entry.name = field.name;
    entry.module = field.type.role == Role::kModule;
    return entry;
  }
  const Field* field_of(PlaceId id) const {
    const Place& place = facts_.places[id];
    if (place.fields.empty()) return nullptr;
    const Field& field = facts_.fields[place.fields.back()];
    return watched(field) ? &field : nullptr;
  }
  bool own(const Field& field, PlaceId id) const {
    return facts_.places[id].root == kThisVariable && facts_.places[id].fields.size() == 1 &&
           facts_.this_class != nullptr &&
           facts_.this_class->getCanonicalDecl() ==
               llvm::cast<clang::CXXRecordDecl>(field.decl->getParent())->getCanonicalDecl();
  }

  void note_store(const Fact& fact) {
    const Field* field = field_of(fact.place);
    if (field == nullptr) return;
    if (!own(*field, fact.place) || !facts_.is_constructor) member(*field).uses.changed = true;
  }
  void note_load(const Block& block, const Fact& fact) {
    const Field* field = field_of(fact.place);
    if (field == nullptr || (own(*field, fact.place) && runs_forward(facts_))) return;
    if (handed_on(facts_, block, fact.value)) member(*field).uses.changed = true;
  }
  void note_value(const FieldEvent& event) {
    const Field* field = field_of(event.place);
    if (field == nullptr || !own(*field, event.place) || !facts_.is_constructor) return;
    MemberFacts& entry = member(*field);
    // Whoever gave it knows where it is.
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
    const clang::CXXRecordDecl* record = event.call->receiver_record;
    if (record == nullptr || event.device.is_cpu()) return;
    context_.members.moved.try_emplace(record->getCanonicalDecl(),
                                       context_.at(event.call->callee_spot));
  }

  const Field* own_field(ObjectId base, FieldId id) const {
    if (context_.origins[base].origin != Origin::kThis || id >= facts_.fields.size())
      return nullptr;
    return watched(facts_.fields[id]) ? &facts_.fields[id] : nullptr;
  }
  /// The member as the object was before the method ran.
  const Field* initial(ObjectId id) const {
    const OriginTable::Entry& origin = context_.origins[id];
    return origin.origin == Origin::kField ? own_field(origin.a, origin.b) : nullptr;
  }
  /// The member, or what was computed from it alone: that is where the member is.
  const Field* comes_from(const OperandView& view) const {
    if (const Field* field = initial(view.id)) return field;
    if (!view.object.device.is_symbol()) return nullptr;
    const Symbol& where = context_.symbols[view.object.device.symbol];
    return where.origin == Origin::kField && where.initial ? own_field(where.base, where.field)
                                                           : nullptr;
  }
  bool from_outside(const OperandView& view) const {
    if (view.module) return true;
    if (!view.object.device.is_symbol()) return false;
    const Origin origin = context_.symbols[view.object.device.symbol].origin;
    return origin == Origin::kParameter || origin == Origin::kThis;
  }
  void note_use(const Field& field, SpotId spot, bool scalars) {
    MemberFacts& entry = member(field);
    entry.uses.used = true;
    entry.uses.used_where_scalars_may_be &= scalars;
    entry.uses.use = context_.at(spot);
  }
  void note_uses() {
    for (const OperandsEvent& event : context_.events.operand_events) {
      if (!context_.unguarded(event.block, false)) continue;
      for (const OperandView& view : event.operands) {
        const Field* field = comes_from(view);
        if (field == nullptr || field->type.role != Role::kTensor) continue;
        // A part of it may be a scalar.
        if (event.zero_dim_cpu && initial(view.id) == nullptr && view.object.rank != Rank::kNonZero)
          continue;
        const bool meets = std::any_of(
            event.operands.begin(), event.operands.end(), [&](const OperandView& other) {
              return other.id != view.id && comes_from(other) == nullptr && from_outside(other);
            });
        if (meets) note_use(*field, event.call->callee_spot, event.zero_dim_cpu);
      }
    }
    for (const BlockId id : facts_.order)
      for (const Fact& fact : facts_.blocks[id].facts) {
        if (fact.kind != FactKind::kCall) continue;
        const Call& call = facts_.calls[fact.call];
        if (!call.has_receiver || call.receiver.role != Role::kModule || call.name != "forward")
          continue;
        if (call.receiver.place == 0) continue;
        const Field* field = field_of(call.receiver.place);
        if (field != nullptr && own(*field, call.receiver.place) && context_.unguarded(id, false))
          note_use(*field, call.callee_spot, false);
      }
  }

  const CheckContext& context_;
  const FunctionFacts& facts_;
};

bool bodies_seen(const clang::CXXRecordDecl& record, const ModuleMembers& unit) {
  return std::all_of(record.method_begin(), record.method_end(),
                     [&](const clang::CXXMethodDecl* method) {
                       return method->isImplicit() || method->isDefaulted() ||
                              method->isDeleted() || method->isPureVirtual() || method->hasBody() ||
                              unit.seen_elsewhere.contains(method->getCanonicalDecl());
                     });
}

}  // namespace

void check_unregistered_tensor(const CheckContext& context) { Gather(context).run(); }

void finish_unregistered_tensor(const ModuleMembers& unit, Types& types,
                                std::vector<Finding>& findings) {
  const std::map<const clang::CXXRecordDecl*, Location> moved = all_moved(unit, types);
  for (const auto& [decl, member] : unit.members) {
    if (!member.made_on_cpu || !member.uses.used || member.uses.changed) continue;
    if (!member.module && member.scalar && member.uses.used_where_scalars_may_be) continue;
    const auto* record = llvm::cast<clang::CXXRecordDecl>(decl->getParent());
    const auto move = moved.find(record->getCanonicalDecl());
    if (move == moved.end() || !bodies_seen(*record, unit)) continue;
    Finding finding;
    finding.rule = Rule::kUnregisteredTensor;
    finding.severity = info(finding.rule).severity;
    finding.confidence = Confidence::kCertain;
    finding.location = member.made;
    finding.message = format_message(
        info(finding.rule).lint_message,
        {{"member", "`" + member.name + "`"},
         {"class", "`" + record->getNameAsString() + "`"},
         {"remedy", member.module ? "register_module" : "register_buffer or register_parameter"}});
    finding.notes.push_back({member.uses.use, "forward uses it with its input here"});
    finding.notes.push_back({move->second, "the module is moved here, and the member stays"});
    findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
