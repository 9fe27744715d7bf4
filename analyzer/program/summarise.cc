#include "analyzer/program/summarise.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "analyzer/program/inflows.h"

namespace xfer::analyzer {
namespace {

class Summariser {
 public:
  Summariser(const Unit& unit, const FunctionFacts& facts, const Interpreter& interpreter,
             const Events& events, const OriginTable& origins, const SymbolTable& symbols,
             const SourceText& source, Graph& graph, const Flow& flow, const Inference* program,
             std::size_t number)
      : unit_(unit),
        facts_(facts),
        interpreter_(interpreter),
        events_(events),
        origins_(origins),
        symbols_(symbols),
        source_(source),
        graph_(graph),
        flow_(flow),
        program_(program),
        number_(number),
        exit_(flow.exit_state()) {}

  Summary run() {
    Summary summary;
    summary.known = exit_.reachable;
    if (!summary.known) return summary;
    summary.unknown_calls = events_.unknown_calls;
    summary.writes_outside = !events_.outside_writes.empty();
    if (const Value* returned = exit_.variables.find(kReturnVariable))
      summary.result = outcome(*returned, exit_);
    for (std::uint32_t number = 0; number < facts_.parameters.size(); ++number) {
      const Variable& parameter = facts_.variables[facts_.parameters[number]];
      const ObjectId id = parameter_object(number);
      summary.written.push_back(events_.writes.count(id) != 0);
      summary.escapes.push_back(events_.escapes.count(id) != 0 || kept(id));
      Outcome held;
      if (parameter.reference) held = held_by_reference(number);
      summary.references.push_back(held);
      Where module;
      if (parameter.type.role == Role::kModule)
        if (const Value* value = exit_.variables.find(hidden_parameter(number)))
          module = where(exit_.device_of(value->object));
      summary.modules.push_back(module);
      summary.objects.push_back(object_left(number, id, summary.escapes.back()));
    }
    const ObjectId self = parameter_object(kThisParameter);
    if (const Value* value = exit_.variables.find(kHiddenThis)) {
      const Device device = exit_.device_of(value->object);
      summary.self = where(device);
      summary.self_empty = facts_.is_constructor && device.kind == DeviceKind::kBottom;
      // An empty base or member registers nothing: the caller's own device stays.
    }
    if (const Value* value = exit_.variables.find(kHiddenThis))
      if (const Object* object = exit_.objects.find(value->object)) {
        if (facts_.is_constructor) summary.self_strict = object->strict;
        parts_of(*object, summary);
        if (facts_.is_constructor) strictness_of_fields(value->object, summary);
        summary.fields = fields_of(value->object, kThisParameter);
      }
    summary.self_changed = changed(kThisParameter, self);
    for (const OperandsEvent& event : events_.operand_events) needs_of(event, summary);
    for (const NeedEvent& event : events_.need_events) forward_need(event, summary);
    for (const DeviceAccessEvent& event : events_.device_access_events)
      need_of(event.pointer.object.device, Device::cuda(Device::kCurrent), event.block,
              event.call->callee_spot, event.call->spot, summary);
    for (const HostAccessEvent& event : events_.host_access_events)
      need_of(event.object.device, Device::cpu(), event.block, event.spot, event.spot, summary,
              event.object.kind != ObjectKind::kMemory);
    if (!numbers_.empty()) summary.deciding = unit_[facts_.function].deciding;
    summary.deciding.add(interpreter_.deciding());
    return summary;
  }

 private:
  ObjectId parameter_object(std::uint32_t number) const {
    for (const auto& [id, object] : exit_.objects) {
      const OriginTable::Entry& entry = origins_[id];
      const Origin wanted = number == kThisParameter ? Origin::kThis : Origin::kParameter;
      if (entry.origin == wanted && entry.a == number) return id;
    }
    return known_ids(number);
  }
  ObjectId known_ids(std::uint32_t number) const {
    // The object may be gone at the end; its id is that of the table.
    return const_cast<OriginTable&>(origins_).intern(
        number == kThisParameter ? Origin::kThis : Origin::kParameter, number, 0, 0, kNoBlock);
  }

  /// What a reference parameter holds at the end: what all paths that change it leave there, or
  /// else what is common to all.
  Outcome held_by_reference(std::uint32_t number) const {
    const VariableId variable = facts_.parameters[number];
    const ObjectId before = parameter_object(number);
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
      unchanged |= held.known && unchanged_or(value->object, *end, number, held.where);
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
  bool unchanged_or(ObjectId id, const State& at, std::uint32_t number, Where& place) const {
    const Device device = whole_device(id, at, 0);
    if (!device.is_symbol() || symbols_[device.symbol].one_of.empty()) return false;
    std::vector<Device> others;
    for (const Device one : symbols_[device.symbol].one_of) {
      const Symbol* symbol = one.is_symbol() ? &symbols_[one.symbol] : nullptr;
      const bool before = symbol != nullptr && symbol->origin == Origin::kParameter &&
                          !symbol->returned && symbol->parameter == number;
      if (!before) others.push_back(one);
    }
    if (others.size() != 1 || others.size() == symbols_[device.symbol].one_of.size()) return false;
    place = where(others.front());
    return true;
  }

  /// A field holds the parameter's object at the end.
  bool kept(ObjectId id) const {
    return std::any_of(exit_.fields.begin(), exit_.fields.end(),
                       [&](const auto& entry) { return entry.second.object == id; });
  }

  Where where(Device device) const {
    Where result;
    if (device.is_known()) {
      result.kind = Where::Kind::kDevice;
      result.device = device;
    } else if (device.is_symbol()) {
      const Symbol& symbol = symbols_[device.symbol];
      if (symbol.returned) {
        result.kind = Where::Kind::kReturned;
        result.parameter = symbol.parameter;
        result.device = symbol.given;
      } else if (const std::optional<std::string> path = path_of(symbol, result.parameter)) {
        result.kind = symbol.of_device ? Where::Kind::kParameter : Where::Kind::kOfParameter;
        result.path = *path;
      } else if (const std::optional<Where> agreed = where_of_all(symbol)) {
        return *agreed;
      } else if (symbol.may_cpu || symbol.may_cuda) {
        result.kind = Where::Kind::kChoice;
        result.choice = choice_of(device.symbol);
        result.may_cpu = symbol.may_cpu;
        result.may_cuda = symbol.may_cuda;
      }
    }
    return result;
  }

  /// Where one of those is that must agree.
  std::optional<Where> where_of_all(const Symbol& symbol) const {
    for (const Device one : symbol.all_of)
      if (Where found = where(one); found.kind != Where::Kind::kUnknown) return found;
    return std::nullopt;
  }

  /// The field of a parameter that a symbol speaks of; none: it is no parameter's. Empty: the
  /// parameter itself.
  std::optional<std::string> path_of(const Symbol& symbol, std::uint32_t& parameter) const {
    if (symbol.origin == Origin::kParameter || symbol.origin == Origin::kThis) {
      parameter = symbol.origin == Origin::kThis ? kThisParameter : symbol.parameter;
      return std::string();
    }
    if (symbol.origin != Origin::kField || !symbol.initial) return std::nullopt;
    return joined(path_to(symbol.base, parameter), symbol.field);
  }

  /// The same of an object.
  std::optional<std::string> path_to(ObjectId id, std::uint32_t& parameter) const {
    const OriginTable::Entry& entry = origins_[id];
    if (entry.origin == Origin::kParameter || entry.origin == Origin::kThis) {
      parameter = entry.origin == Origin::kThis ? kThisParameter : entry.a;
      return std::string();
    }
    if (entry.origin != Origin::kField || entry.c != entry.a || !unit_.fields.has(entry.field()))
      return std::nullopt;
    return joined(path_to(entry.whole(), parameter), entry.field());
  }

  std::optional<std::string> joined(std::optional<std::string> path, FieldId field) const {
    if (path) *path += (path->empty() ? "" : ".") + unit_.fields[field].name;
    return path;
  }

  static void parts_of(const Object& self, Summary& summary) {
    for (std::uint32_t bit = 0; bit <= kCpuPart; ++bit) {
      if ((self.parts >> bit & 1) == 0) continue;
      Where part;
      part.kind = bit == kCpuPart ? Where::Kind::kDevice : Where::Kind::kOfParameter;
      part.device = bit == kCpuPart ? Device::cpu() : Device::unknown();
      part.parameter = bit == kCpuPart ? 0 : bit;
      summary.parts.push_back(std::move(part));
    }
  }

  /// What is left in an object that is a parameter.
  ObjectLeft object_left(std::uint32_t number, ObjectId id, bool escapes) const {
    ObjectLeft left;
    const Variable& parameter = facts_.variables[facts_.parameters[number]];
    if (parameter.type.role != Role::kRecord || !parameter.tracked || escapes) return left;
    for (const State* end : flow_.ends())
      if (const Value* held = end->variables.find(facts_.parameters[number]);
          held != nullptr && held->object != id)
        return left;
    left.told = true;
    left.changed = changed(number, id);
    left.fields = fields_of(id, number);
    return left;
  }

  /// Some field of a parameter's object, or of an object in it, may hold something else.
  bool changed(std::uint32_t number, ObjectId whole) const {
    const auto part = [&](ObjectId id) {
      std::uint32_t parameter = 0;
      return path_to(id, parameter) && parameter == number;
    };
    const auto lost = [&](ObjectId id) {
      const Object* object = exit_.objects.find(id);
      return (object == nullptr || object->kind != ObjectKind::kModule) && part(id);
    };
    return events_.writes.count(whole) != 0 || std::ranges::any_of(events_.field_stores, part) ||
           std::ranges::any_of(events_.lost_objects, lost);
  }

  /// Which modules in a new object's fields need their input where they are, and which need
  /// nothing.
  void strictness_of_fields(ObjectId self, Summary& summary) const {
    for (const auto& [key, value] : exit_.fields) {
      if (key.first != self || !unit_.fields.has(key.second)) continue;
      const Object* object = exit_.objects.find(value.object);
      if (object == nullptr || object->kind != ObjectKind::kModule) continue;
      const std::string& field = unit_.fields[key.second].name;
      if (object->strict == Strict::kYes) summary.strict_fields.push_back(field);
      if (object->strict == Strict::kNo) summary.empty_fields.push_back(field);
    }
  }

  std::vector<FieldHeld> fields_of(ObjectId self, std::uint32_t number) const {
    std::vector<FieldHeld> fields;
    const bool made_here = facts_.is_constructor && number == kThisParameter;
    for (const auto& [key, value] : exit_.fields) {
      if (key.first != self || !unit_.fields.has(key.second)) continue;
      FieldHeld held;
      held.field = unit_.fields[key.second].name;
      if (value.kind == ValueKind::kDevice || value.kind == ValueKind::kOptions) {
        held.where = where(value.device);
      } else if (const Object* object = exit_.objects.find(value.object)) {
        if (object->parent == self) continue;  // it is where the module is
        if (held_by_others(key, value.object)) {
          if (!made_here) fields.push_back(std::move(held));
          continue;
        }
        held.where = where(whole_device(value.object, exit_, 0));
        // What a module leaves on the CPU without registering it is unregistered-tensor's to judge.
        const bool left = held.where.kind == Where::Kind::kDevice && held.where.device.is_cpu();
        if (left && made_here && exit_.objects.find(self)->kind == ObjectKind::kModule) continue;
        held.rank = without_holder(object->rank);
        held.placed = object->placed;
        const OriginTable::Entry& entry = origins_[value.object];
        if (object->kind == ObjectKind::kModule && entry.origin == Origin::kParameter &&
            entry.a < facts_.parameters.size())
          held.given = entry.a;
      }
      const bool as_found =
          held.where.of_caller() && held.where.parameter == number && held.where.path == held.field;
      const bool told =
          made_here ? held.given || held.where.kind != Where::Kind::kUnknown : !as_found;
      if (told) fields.push_back(std::move(held));
    }
    return fields;
  }

  /// A module that others hold as well, who may move it.
  bool held_by_others(std::pair<ObjectId, FieldId> by, ObjectId id) const {
    const Object* object = exit_.objects.find(id);
    if (object == nullptr || object->kind != ObjectKind::kModule) return false;
    return object->escaped ||
           std::any_of(exit_.fields.begin(), exit_.fields.end(), [&](const auto& entry) {
             return entry.second.object == id && entry.first != by;
           });
  }

  /// Where an object and all its parts are.
  Device whole_device(ObjectId id, const State& at, unsigned depth) const {
    const Object* object = at.objects.find(id);
    if (object == nullptr || depth > 4) return Device::unknown();
    const bool parts = object->kind == ObjectKind::kRecord || object->kind == ObjectKind::kTuple;
    if (!parts) return at.device_of(id);
    // Some part may never have been looked at.
    Device joined = Device::bottom();
    for (const auto& [key, part] : at.fields)
      if (key.first == id && part.object)
        joined = join(joined, whole_device(part.object, at, depth + 1));
    joined = join(joined, object->device);
    return joined.kind == DeviceKind::kBottom ? Device::unknown() : joined;
  }

  Outcome outcome(const Value& value, const State& at) const {
    Outcome result;
    if (value.kind == ValueKind::kNone) return result;
    result.known = true;
    if (value.kind == ValueKind::kDevice || value.kind == ValueKind::kOptions) {
      result.where = where(value.device);
      return result;
    }
    const std::optional<std::string> path = path_to(value.object, result.parameter);
    if (path && path->empty()) {
      result.same_object = true;
      return result;
    }
    const Object* object = at.objects.find(value.object);
    if (object == nullptr) return Outcome{};
    result.where = where(whole_device(value.object, at, 0));
    if (path && handed_out(value.object, *object)) {
      result.same_object = true;
      result.path = *path;
    }
    const bool as_given =
        result.where.kind == Where::Kind::kOfParameter && result.where.path.empty();
    result.rank = as_given ? object->rank : without_holder(object->rank);
    result.placed = object->placed;
    result.strict = object->strict;
    if (object->kind == ObjectKind::kMemory) result.memory = object->memory;
    result.may_alias = object->escaped || object->alias != value.object;
    return result;
  }

  /// A module that the field still holds at the end: the caller gets the field's, wherever it is
  /// then.
  bool handed_out(ObjectId id, const Object& object) const {
    const OriginTable::Entry& made = origins_[id];
    const Value* held = exit_.fields.find({made.whole(), made.field()});
    return object.kind == ObjectKind::kModule && (held == nullptr || held->object == id);
  }

  /// Every call comes to it, or at least every one that gives what the need speaks of.
  bool certain(BlockId block, const Need& need) const {
    const Guards guards = graph_.guards(block);
    if (guards.device_query || guards.device_choice) return false;
    std::set<VariableId> given;
    for (const Where* where : {&need.first, &need.second})
      if (where->kind == Where::Kind::kOfParameter && where->parameter < facts_.parameters.size())
        given.insert(facts_.parameters[where->parameter]);
    return graph_.runs_where_given(block, given);
  }

  void add(Summary& summary, Need need) const {
    const bool known =
        std::any_of(summary.needs.begin(), summary.needs.end(), [&](const Need& other) {
          return other.first == need.first && other.second == need.second &&
                 other.zero_dim_cpu == need.zero_dim_cpu &&
                 other.first_has_dims == need.first_has_dims &&
                 other.second_has_dims == need.second_has_dims &&
                 other.host_access == need.host_access;
        });
    if (!known && summary.needs.size() < 16) summary.needs.push_back(std::move(need));
  }

  void needs_of(const OperandsEvent& event, Summary& summary) const {
    if (event.indexing || event.again) return;
    for (std::size_t i = 0; i < event.operands.size(); ++i)
      for (std::size_t j = i + 1; j < event.operands.size(); ++j) {
        std::optional<Need> need =
            pair(event.operands[i], event.operands[j], event.zero_dim_cpu, event.block);
        if (!need) continue;
        need->at = source_.location(facts_.spots[event.call->callee_spot], facts_.name);
        need->what = "`" + source_.text(facts_.spots[event.call->spot]) + "`";
        add(summary, std::move(*need));
      }
  }

  void forward_need(const NeedEvent& event, Summary& summary) const {
    if (event.again) return;
    std::optional<Need> need =
        pair(event.first, event.second, event.need->zero_dim_cpu, event.block);
    if (!need) return;
    need->host_access = event.need->host_access;
    need->at = event.need->at;
    need->what = event.need->what;
    add(summary, std::move(*need));
  }

  /// Memory that is followed by the host, or on a device, must be there; `tensor`: that of one.
  void need_of(Device memory, Device wanted, BlockId block, SpotId at, SpotId what,
               Summary& summary, bool tensor = false) const {
    Need need;
    need.host_access = tensor;
    need.first = where(memory);
    need.second.kind = Where::Kind::kDevice;
    need.second.device = wanted;
    if (!memory.is_symbol() || need.first.kind != Where::Kind::kOfParameter ||
        !certain(block, need))
      return;
    need.at = source_.location(facts_.spots[at], facts_.name);
    need.what = "`" + source_.text(facts_.spots[what]) + "`";
    add(summary, std::move(need));
  }

  /// What two operands that may or may not agree mean to the caller.
  std::optional<Need> pair(const OperandView& a, const OperandView& b, bool zero_dim_cpu,
                           BlockId block) const {
    if (relate(a.object.device, b.object.device) != Relation::kUnsure) return std::nullopt;
    Need need;
    need.zero_dim_cpu = zero_dim_cpu;
    need.first = where(a.object.device);
    need.second = where(b.object.device);
    need.first_has_dims = keeps_dims(a);
    need.second_has_dims = keeps_dims(b);
    const OperandView* first = &a;
    const OperandView* second = &b;
    if (!need.first.of_caller()) {
      std::swap(need.first, need.second);
      std::swap(need.first_has_dims, need.second_has_dims);
      std::swap(first, second);
    }
    if (!need.first.of_caller() || need.first == need.second) return std::nullopt;
    const bool told = need.second.kind == Where::Kind::kUnknown;
    if (told && !told_by_program(*first, *second, need.second)) return std::nullopt;
    // A CPU operand against a device that may be CUDA is said here, once.
    const auto said = [&](Device cpu, Device other) {
      return cpu.is_cpu() && other.is_symbol() && symbols_.may_be_cuda(other);
    };
    if (said(a.object.device, b.object.device) || said(b.object.device, a.object.device))
      return std::nullopt;
    if (zero_dim_cpu && (stays_scalar(a) || stays_scalar(b))) return std::nullopt;
    if (!told && (need.second.kind == Where::Kind::kParameter || !need.second.of_caller())) {
      // What the callee made itself, and may be a scalar, may stay where it is.
      const bool cpu_scalar = !second->module && second->object.rank != Rank::kNonZero &&
                              !second->object.device.is_cuda();
      if (zero_dim_cpu && cpu_scalar) return std::nullopt;
    }
    if (!certain(block, need)) return std::nullopt;
    return need;
  }

  /// Of what the caller gives, some other caller gives it on CUDA, or nobody knows; it meets what
  /// is on CUDA for the whole program, in some run: `where`.
  bool told_by_program(const OperandView& given, const OperandView& other, Where& where) const {
    if (program_ == nullptr || !other.object.device.is_symbol()) return false;
    // What all give on the CPU is said where the two meet.
    if (places(given).always_cpu() || !places(other).may_be_cuda()) return false;
    where.kind = Where::Kind::kChoice;
    where.choice = choice_of(other.object.device.symbol);
    where.may_cuda = where.found = true;
    return true;
  }
  PlaceSet places(const OperandView& view) const {
    const FunctionView function{unit_, facts_, origins_, symbols_, interpreter_.deciding()};
    return program_->known(number_, sources_of(function, view.object.device)).places;
  }
  std::uint32_t choice_of(SymbolId symbol) const {
    return numbers_.try_emplace(symbol, numbers_.size() + 1).first->second;
  }

  /// It has dimensions, and is where one tensor of the caller's is: not where several agree.
  bool keeps_dims(const OperandView& view) const {
    const Device at = view.object.device;
    return !view.module && view.object.rank == Rank::kNonZero && at.is_symbol() &&
           symbols_[at.symbol].all_of.empty();
  }

  /// A value computed here that has no dimensions: it may meet CUDA tensors from the CPU.
  static bool stays_scalar(const OperandView& view) {
    return !view.module && view.object.rank == Rank::kZero;
  }

  const Unit& unit_;
  const FunctionFacts& facts_;
  const Interpreter& interpreter_;
  const Events& events_;
  const OriginTable& origins_;
  const SymbolTable& symbols_;
  const SourceText& source_;
  Graph& graph_;
  const Flow& flow_;
  const Inference* program_;
  const std::size_t number_;  ///< of the unit in it
  State exit_;
  mutable std::map<SymbolId, std::uint32_t>
      numbers_;  ///< of the choices, in the order of their first mention
};

}  // namespace

Summary summarise(const Unit& unit, const FunctionFacts& facts, const Interpreter& interpreter,
                  const Flow& flow, const Events& events, const OriginTable& origins,
                  const SymbolTable& symbols, const SourceText& source, Graph& graph,
                  const Inference* program, std::size_t number) {
  return Summariser(unit, facts, interpreter, events, origins, symbols, source, graph, flow,
                    program, number)
      .run();
}

}  // namespace xfer::analyzer
