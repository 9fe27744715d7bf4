#include "analyzer/program/summarise.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "analyzer/program/callers_terms.h"
#include "analyzer/program/fields_left.h"
#include "analyzer/program/memory_left.h"
#include "analyzer/program/needs.h"
#include "analyzer/program/tell_memory.h"

namespace xfer::analyzer {
namespace {

class Summariser {
 public:
  Summariser(const FunctionView& function, const Flow& flow, const Events& events,
             const SourceText& source, Graph& graph, Amounts& amounts, const Inference* program,
             std::size_t number)
      : function_(function),
        events_(events),
        source_(source),
        graph_(graph),
        amounts_(amounts),
        flow_(flow),
        program_(program),
        number_(number),
        exit_(flow.exit_state()),
        terms_(function.unit, function.origins, function.symbols),
        memory_(function, flow, amounts),
        left_(function, events, flow, memory_, exit_, terms_) {}

  Summary run() {
    Summary summary;
    summary.known = exit_.reachable;
    if (!summary.known) return summary;
    summary.unknown_calls = events_.unknown_calls;
    summary.may_wait = events_.may_wait;
    summary.writes_outside = !events_.outside_writes.empty() || writes_globals();
    summary.writes_everything = events_.everything_may_be_written;
    summary.writes_behind = writes_behind();
    if (const Value* returned = exit_.variables.find(kReturnVariable))
      returned_value(*returned, summary);
    for (std::uint32_t number = 0; number < function_.facts.parameters.size(); ++number)
      parameter_left(number, summary);
    object_left(summary);
    tell_memory({function_, events_, source_, graph_, amounts_, exit_, terms_}, summary);
    summary.needs = needs_of(function_, events_, graph_, source_, program_, number_, terms_);
    if (terms_.told_choices()) summary.deciding = function_.unit[function_.facts.function].deciding;
    summary.deciding.add(function_.deciding);
    return summary;
  }

 private:
  /// Memory that callers know by the names of variables.
  bool writes_globals() const {
    return function_.unit.follows_memory &&
           std::ranges::any_of(events_.writes, [&](const auto& written) {
             OriginTable::Entry entry = function_.origins[written.first];
             while (entry.origin == Origin::kField) entry = function_.origins[entry.whole()];
             return entry.origin == Origin::kVariable || entry.origin == Origin::kGlobal;
           });
  }
  bool writes_behind() const {
    return events_.wrote_behind || std::ranges::any_of(events_.writes, [&](const auto& written) {
             const Origin origin = function_.origins[written.first].origin;
             return origin == Origin::kField && function_.unit.follows_memory;
           });
  }

  void returned_value(const Value& returned, Summary& summary) {
    summary.result = outcome(returned, exit_);
    const Object* object = exit_.objects.find(returned.object);
    if (object == nullptr || summary.result.same_object) return;
    if (object->kind == ObjectKind::kRecord && !object->escaped)
      summary.result_fields = left_.fields_of(returned.object);
    if (object->kind == ObjectKind::kTuple) parts_returned(returned.object, summary);
  }

  void parts_returned(ObjectId tuple, Summary& summary) {
    for (const auto& [key, value] : exit_.fields) {
      const Object* part = exit_.objects.find(value.object);
      if (key.first != tuple || !is_element(key.second) || part == nullptr ||
          part->kind != ObjectKind::kTensor)
        continue;
      summary.result_parts.emplace(key.second.number() - kFirstElement.number(),
                                   outcome(value, exit_));
    }
  }

  void parameter_left(std::uint32_t number, Summary& summary) {
    const Variable& parameter = function_.facts.variables[function_.facts.parameters[number]];
    const ObjectId id = parameter_object(number);
    summary.written.push_back(events_.writes.count(id) != 0);
    summary.escapes.push_back(events_.escapes.count(id) != 0 || kept(id));
    summary.references.push_back(parameter.reference ? held_by_reference(number, id) : Outcome{});
    DeviceTerm module;
    Strict filled = Strict::kUnknown;
    if (parameter.type.role == Role::kModule)
      if (const Value* value = exit_.variables.find(hidden_parameter(number))) {
        module = terms_.of(exit_.device_of(value->object));
        if (const Object* object = exit_.objects.find(value->object)) filled = object->filled;
      }
    summary.modules.push_back(module);
    summary.filled.push_back(filled);
    summary.objects.push_back(left_.object(number, id, summary.escapes.back()));
  }

  /// The contents left in the object that a method is called on, or that a constructor makes.
  void object_left(Summary& summary) {
    summary.changed = left_.changed(kThisParameter, parameter_object(kThisParameter));
    const Value* value = exit_.variables.find(kHiddenThis);
    if (value == nullptr) return;
    const Device device = exit_.device_of(value->object);
    summary.self = terms_.of(device);
    const bool made_here = function_.facts.is_constructor;
    // An empty base or member registers nothing: the caller's own device stays.
    summary.self_empty = made_here && device.kind == DeviceKind::kBottom;
    const Object* object = exit_.objects.find(value->object);
    if (object == nullptr) return;
    parts_of(*object, summary);
    if (made_here) {
      summary.self_strict = object->strict;
      strictness_of_fields(value->object, summary);
    }
    summary.fields = left_.fields_of(value->object, kThisParameter);
  }

  ObjectId parameter_object(std::uint32_t number) const {
    for (const auto& [id, object] : exit_.objects) {
      const OriginTable::Entry& entry = function_.origins[id];
      const Origin wanted = number == kThisParameter ? Origin::kThis : Origin::kParameter;
      if (entry.origin == wanted && entry.a == number) return id;
    }
    return known_ids(number);
  }
  ObjectId known_ids(std::uint32_t number) const {
    // The object may be gone at the end; its id is that of the table.
    return const_cast<OriginTable&>(function_.origins)
        .intern(number == kThisParameter ? Origin::kThis : Origin::kParameter, number, 0, 0,
                kNoBlock);
  }

  /// The value of a reference parameter at the end: the one that all paths that change it leave
  /// there, or else the facts common to all.
  Outcome held_by_reference(std::uint32_t number, ObjectId before) {
    const VariableId variable = function_.facts.parameters[number];
    // Something else is in the same object: its data were set, or swapped.
    if (events_.lost_objects.count(before) != 0) return {};
    std::optional<Outcome> left;
    bool unchanged = false;
    bool one = true;
    for (const State* end : flow_.ends()) {
      const Value* value = end->variables.find(variable);
      if (value == nullptr) continue;
      if (value->kind == ValueKind::kObject && value->object == before) {
        unchanged = true;
        continue;
      }
      Outcome held = outcome(*value, *end);
      unchanged |= held.known && unchanged_or(value->object, *end, number, held.device);
      one &= held.known && (!left || *left == held);
      left = held;
    }
    if (unchanged && left && one) {
      left->or_unchanged = true;
      return *left;
    }
    const Value* value = exit_.variables.find(variable);
    return value == nullptr ? Outcome{} : outcome(*value, exit_);
  }

  /// The object is where the parameter was before, or else at one place: that is told.
  bool unchanged_or(ObjectId id, const State& at, std::uint32_t number, DeviceTerm& place) {
    const Device device = device_of_whole(at, id);
    if (!device.is_symbol() || function_.symbols[device.symbol].one_of.empty()) return false;
    std::vector<Device> others;
    for (const Device one : function_.symbols[device.symbol].one_of) {
      const Symbol* symbol = one.is_symbol() ? &function_.symbols[one.symbol] : nullptr;
      const bool before = symbol != nullptr && symbol->origin == Origin::kParameter &&
                          !symbol->returned && symbol->parameter == number;
      if (!before) others.push_back(one);
    }
    if (others.size() != 1 || others.size() == function_.symbols[device.symbol].one_of.size())
      return false;
    place = terms_.of(others.front());
    return true;
  }

  /// A field holds the parameter's object at the end.
  bool kept(ObjectId id) const {
    return std::any_of(exit_.fields.begin(), exit_.fields.end(),
                       [&](const auto& entry) { return entry.second.object == id; });
  }

  static void parts_of(const Object& self, Summary& summary) {
    for (std::uint32_t bit = 0; bit <= kCpuPart; ++bit) {
      if ((self.parts >> bit & 1) == 0) continue;
      DeviceTerm part;
      part.kind = bit == kCpuPart ? DeviceTerm::Kind::kDevice : DeviceTerm::Kind::kOfParameter;
      part.device = bit == kCpuPart ? Device::cpu() : Device::unknown();
      part.parameter = bit == kCpuPart ? 0 : bit;
      summary.parts.push_back(std::move(part));
    }
  }

  /// Which modules in a new object's fields need their input where they are, and which need
  /// nothing.
  void strictness_of_fields(ObjectId self, Summary& summary) const {
    for (const auto& [key, value] : exit_.fields) {
      if (key.first != self || !function_.unit.fields.has(key.second)) continue;
      const Object* object = exit_.objects.find(value.object);
      if (object == nullptr || object->kind != ObjectKind::kModule) continue;
      const std::string& field = function_.unit.fields[key.second].name;
      if (object->strict == Strict::kYes) summary.strict_fields.push_back(field);
      if (object->strict == Strict::kNo) summary.empty_fields.push_back(field);
    }
  }

  Outcome outcome(const Value& value, const State& at) {
    Outcome result;
    if (value.kind == ValueKind::kNone) return result;
    result.known = true;
    if (value.kind == ValueKind::kDevice || value.kind == ValueKind::kOptions) {
      result.device = terms_.of(value.device);
      return result;
    }
    const std::optional<std::string> path = terms_.path_to(value.object, result.parameter);
    if (path && path->empty()) {
      result.same_object = true;
      return result;
    }
    const Object* object = at.objects.find(value.object);
    if (object == nullptr) return Outcome{};
    result.device = terms_.of(device_of_whole(at, value.object));
    if (path && handed_out(value.object, *object)) {
      result.same_object = true;
      result.path = *path;
    }
    const bool as_given =
        result.device.kind == DeviceTerm::Kind::kOfParameter && result.device.path.empty();
    result.rank = as_given ? object->rank : without_holder(object->rank);
    result.placed = object->placed;
    result.strict = object->strict;
    if (object->kind == ObjectKind::kMemory)
      static_cast<Allocated&>(result) = memory_.of(value.object, *object);
    result.may_alias = object->escaped || object->alias != value.object;
    return result;
  }

  /// A module or memory that the field still holds at the end: the caller gets the field's,
  /// wherever it is then.
  bool handed_out(ObjectId id, const Object& object) const {
    const OriginTable::Entry& made = function_.origins[id];
    const Value* held = exit_.fields.find({made.whole(), made.field()});
    const bool shared = object.kind == ObjectKind::kModule || object.kind == ObjectKind::kMemory;
    return shared && (held == nullptr || held->object == id);
  }

  const FunctionView& function_;
  const Events& events_;
  const SourceText& source_;
  Graph& graph_;
  Amounts& amounts_;
  const Flow& flow_;
  const Inference* program_;
  const std::size_t number_;  ///< of the unit in it
  State exit_;
  CallersTerms terms_;
  MemoryLeft memory_;
  FieldsLeft left_;
};

}  // namespace

Summary summarise(const FunctionView& function, const Flow& flow, const Events& events,
                  const SourceText& source, Graph& graph, Amounts& amounts,
                  const Inference* program, std::size_t number) {
  return Summariser(function, flow, events, source, graph, amounts, program, number).run();
}

}  // namespace xfer::analyzer
