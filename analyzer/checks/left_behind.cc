// Finds: a function that puts one object's tensors on a device that may be CUDA, by moving what it
// found in them or made for them, and leaves one of them where that came from.
// Does not find: one of two; one that is given in another way than what is moved; one that other
// functions give in other ways; what the host reads somewhere in the unit; tensors that are not the
// object's own fields. Cost: one look at each field that the function gives a value.

#include "analyzer/checks/left_behind.h"

#include <algorithm>
#include <map>

#include "analyzer/checks/places.h"
#include "analyzer/checks/sibling_fields.h"
#include "analyzer/checks/wanted_on_host.h"

namespace xfer::analyzer {
namespace {

/// An object, by how the function comes to it.
struct Whole {
  VariableId root;
  std::vector<FieldId> path;
  ClassId owner;
  friend auto operator<=>(const Whole&, const Whole&) = default;
};

/// How a field came by its value.
struct Given {
  SpotId spot;
  const TransferEvent* move = nullptr;  ///< to a device that may be CUDA; null: it is not moved
  ObjectId value;                       ///< what is moved, or given as it is
  Device from;                          ///< where that is
  Rank rank = Rank::kUnknown;
};
using Fields = std::map<FieldId, Given>;

const TransferEvent* move_to_cuda(const CheckContext& context, FactId fact) {
  for (const TransferEvent& event : context.events.transfer_events)
    if (event.given && event.fact == fact && is_device_value(context, event.device) &&
        (may_be_cuda(context, event.device) ||
         context.places_in_program(event.device).sometimes_cuda()))
      return &event;
  return nullptr;
}

/// The move that made a value, or what a statement computes it of: `x.to(device).contiguous()`.
const TransferEvent* move_behind(const CheckContext& context, const HandedEvent& given) {
  ObjectId made = given.value.object;
  while (made) {
    const OriginTable::Entry& origin = context.origins[made];
    if (origin.origin != Origin::kFact) return nullptr;
    if (const TransferEvent* move = move_to_cuda(context, origin.fact())) return move;
    const auto computed = context.events.computed_from.find(made);
    if (computed == context.events.computed_from.end()) return nullptr;
    made = computed->second.from;
  }
  return nullptr;
}

std::map<Whole, Fields> given_fields(const CheckContext& context) {
  std::map<Whole, Fields> objects;
  for (const HandedEvent& event : context.events.handed_events) {
    if (event.to.kind != Holder::Kind::kField || event.value.kind != ValueKind::kObject) continue;
    const FieldId id = event.to.field_id();
    const Field& field = context.unit.fields[id];
    const Fact* fact = context.fact(event.fact);
    const auto* store = fact == nullptr ? nullptr : fact->as<fact::Store>();
    if (!is_own_tensor(field) || store == nullptr) continue;
    const Place& place = context.facts.places[store->place];
    if (place.fields.empty() || place.fields.back() != id) continue;
    Whole whole{place.root, {place.fields.begin(), place.fields.end() - 1}, field.owner};
    Given given{event.spot, move_behind(context, event), event.value.object, event.device,
                event.object.rank};
    if (given.move != nullptr) {
      given.value = given.move->source;
      given.from = given.move->source_object.device;
    }
    Given& known = objects[std::move(whole)][id];
    if (known.move == nullptr) known = given;
  }
  return objects;
}

/// It is what the function found in the field.
bool found_there(const CheckContext& context, FieldId field, Device device) {
  if (!device.is_symbol()) return false;
  const Symbol& symbol = context.symbols[device.symbol];
  return symbol.origin == Origin::kField && symbol.field == field &&
         context.events.field_stores.contains({symbol.base, field});
}

/// The value moved into one field and the value left in the other came the same way.
bool alike(const CheckContext& context, const Given& one, const Given& other) {
  if (!one.from.is_symbol() || !other.from.is_symbol()) return false;
  const Symbol& a = context.symbols[one.from.symbol];
  const Symbol& b = context.symbols[other.from.symbol];
  if (a.of_device || b.of_device) return false;
  if (a.origin == Origin::kParameter && b.origin == Origin::kParameter)
    return !a.returned && !b.returned;
  if (a.base && a.base == b.base && a.version == b.version) return true;
  const Call* call = context.made_by(one.value);
  const Call* same = context.made_by(other.value);
  return call != nullptr && same != nullptr && call->name == same->name;
}

class LeftBehind {
 public:
  LeftBehind(const CheckContext& context, const Whole& whole, const Fields& fields)
      : context_(context), whole_(whole), fields_(fields) {}

  void judge() {
    for (const auto& [id, given] : fields_)
      if (given.move != nullptr) moved_.push_back(id);
    if (moved_.size() < 2) return;
    const Device to = device_of(moved_.front());
    if (!std::ranges::all_of(moved_, [&](FieldId id) { return device_of(id) == to; })) return;
    std::vector<FieldId> left;
    for (const FieldId id : context_.unit[whole_.owner].fields)
      if (context_.unit.fields[id].type.role == Role::kTensor &&
          std::ranges::find(moved_, id) == moved_.end())
        left.push_back(id);
    if (left.size() == 1 && without_reason(left.front())) report(left.front());
  }

 private:
  Device device_of(FieldId moved) const { return fields_.at(moved).move->device; }

  /// All moved values came the same way as the one that is left.
  bool are_siblings(FieldId left) const {
    const auto given = fields_.find(left);
    const bool stays = given == fields_.end() || found_there(context_, left, given->second.from);
    return std::ranges::all_of(moved_, [&](FieldId id) {
      const Given& moved = fields_.at(id);
      if (stays)
        return found_there(context_, id, moved.from) &&
               given_alike(context_.unit, id, left, {context_.facts.function});
      return alike(context_, moved, given->second);
    });
  }

  bool without_reason(FieldId left) const {
    if (!are_siblings(left)) return false;
    const auto given = fields_.find(left);
    if (given == fields_.end())
      return moved_.size() > 2 &&
             may_be_left(context_, left, moved_.front(), {context_.facts.function});
    return given->second.rank != Rank::kZero && needs_move(given->second.from) &&
           !wanted_on_host(context_.unit, left);
  }

  /// It is where what is moved comes from, or nobody knows where.
  bool needs_move(Device from) const {
    const auto is_there = [&](FieldId id) { return fields_.at(id).from == from; };
    return std::ranges::any_of(moved_, is_there) ? !context_.places_in_program(from).may_be_cuda()
                                                 : nobody_knows(context_, from);
  }

  std::string name(FieldId field) const { return "`" + context_.unit.fields[field].name + "`"; }

  void report(FieldId left) const {
    const FieldId first = moved_.front();
    const FieldId last = moved_.back();
    const auto given = fields_.find(left);
    const std::string device = context_.short_text(device_of(first));
    const SpotId spot = given == fields_.end() ? fields_.at(last).spot : given->second.spot;
    Finding finding =
        context_.make(Rule::kMissingTransfer, spot,
                      {{"operand", name(left)},
                       {"operand_device", "the device that " + name(first) + " was moved from"},
                       {"other", name(first)},
                       {"other_device", device}});
    for (const FieldId id : moved_)
      finding.notes.push_back(
          context_.note(fields_.at(id).spot,
                        name(id) + ", of the same object, was moved to " + device + " here"));
    context_.share(std::move(finding), context_.at(fields_.at(first).spot),
                   SharedFinding::Blame::kHere);
  }

  const CheckContext& context_;
  const Whole& whole_;
  const Fields& fields_;
  std::vector<FieldId> moved_;
};

}  // namespace

void check_left_behind(const CheckContext& context) {
  if (context.program == nullptr) return;
  for (const auto& [whole, fields] : given_fields(context))
    LeftBehind(context, whole, fields).judge();
}

}  // namespace xfer::analyzer
