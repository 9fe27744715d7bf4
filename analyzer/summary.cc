#include "analyzer/summary.h"

#include <algorithm>
#include <optional>

#include "analyzer/engine.h"

namespace xfer::analyzer {
namespace {

class Summariser {
 public:
  Summariser(const FunctionFacts& facts, const Interpreter& interpreter, const Events& events,
             const OriginTable& origins, const SymbolTable& symbols, const SourceText& source,
             Graph& graph, State exit)
      : facts_(facts),
        interpreter_(interpreter),
        events_(events),
        origins_(origins),
        symbols_(symbols),
        source_(source),
        graph_(graph),
        exit_(std::move(exit)) {}

  Summary run() {
    Summary summary;
    summary.known = exit_.reachable;
    if (!summary.known) return summary;
    summary.unknown_calls = events_.unknown_calls;
    if (const Value* returned = exit_.variables.find(kReturnVariable))
      summary.result = outcome(*returned);
    for (std::uint32_t number = 0; number < facts_.parameters.size(); ++number) {
      const Variable& parameter = facts_.variables[facts_.parameters[number]];
      const ObjectId id = parameter_object(number);
      summary.written.push_back(events_.writes.count(id) != 0);
      summary.escapes.push_back(events_.escapes.count(id) != 0 || kept(id));
      Outcome held;
      if (parameter.reference)
        if (const Value* value = exit_.variables.find(facts_.parameters[number]))
          held = outcome(*value);
      summary.references.push_back(held);
      Where module;
      if (parameter.type.role == Role::kModule)
        if (const Value* value = exit_.variables.find(kFirstHiddenVariable + 1 + number))
          module = where(interpreter_.device_of(exit_, value->object));
      summary.modules.push_back(module);
    }
    const ObjectId self = parameter_object(kThisParameter);
    if (const Value* value = exit_.variables.find(kFirstHiddenVariable)) {
      const Device device = interpreter_.device_of(exit_, value->object);
      summary.self = where(device);
      summary.self_empty = facts_.is_constructor && device.kind == DeviceKind::kBottom;
      // An empty base or member registers nothing: the caller's own device stays.
    }
    summary.self_changed =
        events_.field_stores.count(self) != 0 || events_.writes.count(self) != 0;
    for (const OperandsEvent& event : events_.operand_events) needs_of(event, summary);
    for (const NeedEvent& event : events_.need_events) forward_need(event, summary);
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
      if (symbol.origin == Origin::kParameter || symbol.origin == Origin::kThis) {
        result.kind = symbol.of_device ? Where::Kind::kParameter : Where::Kind::kOfParameter;
        result.parameter = symbol.origin == Origin::kThis ? kThisParameter : symbol.parameter;
      } else if (symbol.may_cpu || symbol.may_cuda) {
        result.kind = Where::Kind::kChoice;
        result.may_cpu = symbol.may_cpu;
        result.may_cuda = symbol.may_cuda;
      }
    }
    return result;
  }

  /// Where an object and all its parts are.
  Device whole_device(ObjectId id, unsigned depth) const {
    const Object* object = exit_.objects.find(id);
    if (object == nullptr || depth > 4) return Device::unknown();
    const bool parts = object->kind == ObjectKind::kRecord || object->kind == ObjectKind::kTuple;
    if (!parts) return interpreter_.device_of(exit_, id);
    // A tuple made here has all its parts; of a record some field may never have been looked at.
    Device joined = Device::bottom();
    for (const auto& [key, part] : exit_.fields)
      if (key.first == id && part.object != 0)
        joined = join(joined, whole_device(part.object, depth + 1));
    if (object->kind == ObjectKind::kTuple && joined.kind != DeviceKind::kBottom) return joined;
    joined = join(joined, object->device);
    return joined.kind == DeviceKind::kBottom ? Device::unknown() : joined;
  }

  Outcome outcome(const Value& value) const {
    Outcome result;
    if (value.kind == ValueKind::kNone) return result;
    result.known = true;
    if (value.kind == ValueKind::kDevice || value.kind == ValueKind::kOptions) {
      result.where = where(value.device);
      return result;
    }
    const OriginTable::Entry& entry = origins_[value.object];
    if (entry.origin == Origin::kParameter || entry.origin == Origin::kThis) {
      result.same_object = true;
      result.parameter = entry.origin == Origin::kThis ? kThisParameter : entry.a;
      return result;
    }
    const Object* object = exit_.objects.find(value.object);
    if (object == nullptr) return Outcome{};
    result.where = where(whole_device(value.object, 0));
    result.rank = object->rank;
    result.placed = object->placed;
    result.may_alias = object->escaped || object->alias != value.object;
    return result;
  }

  /// The parameter that an operand's device is that of.
  bool parameter_of(const OperandView& view, std::uint32_t& number) const {
    const Where place = where(view.object.device);
    if (place.kind != Where::Kind::kOfParameter) return false;
    number = place.parameter;
    return true;
  }

  bool certain(BlockId block) const {
    const Guards guards = graph_.guards(block);
    return graph_.runs_if_loops_do(block) && !guards.device_query && !guards.device_choice;
  }

  void add(Summary& summary, Need need) const {
    const bool known = std::any_of(
        summary.needs.begin(), summary.needs.end(), [&](const Need& other) {
          return other.first == need.first && other.fixed == need.fixed &&
                 (need.fixed || other.second == need.second) &&
                 other.zero_dim_cpu == need.zero_dim_cpu;
        });
    if (!known && summary.needs.size() < 16) summary.needs.push_back(std::move(need));
  }

  void needs_of(const OperandsEvent& event, Summary& summary) const {
    if (event.call->expects_throw) return;
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
    if (event.call->expects_throw) return;
    std::optional<Need> need =
        pair(event.first, event.second, event.need->zero_dim_cpu, event.block);
    if (!need) return;
    need->at = event.need->at;
    need->what = event.need->what;
    add(summary, std::move(*need));
  }

  /// What two operands that may or may not agree mean to the caller.
  std::optional<Need> pair(const OperandView& a, const OperandView& b, bool zero_dim_cpu,
                           BlockId block) const {
    if (relate(a.object.device, b.object.device) != Relation::kUnsure) return std::nullopt;
    Need need;
    need.zero_dim_cpu = zero_dim_cpu;
    const bool first = parameter_of(a, need.first);
    const bool second = parameter_of(b, need.second);
    if (!first && !second) return std::nullopt;
    const OperandView* fixed = first && second ? nullptr : first ? &b : &a;
    if (fixed != nullptr) {
      need.fixed = true;
      if (!first) need.first = need.second;
      need.where = where(fixed->object.device);
      if (need.where.kind == Where::Kind::kUnknown) return std::nullopt;
      // A fixed operand that may be a scalar may stay where it is.
      const bool cpu_scalar = !fixed->module && fixed->object.rank != Rank::kNonZero &&
                              !fixed->object.device.is_cuda();
      if (zero_dim_cpu && cpu_scalar) return std::nullopt;
    } else if (need.first == need.second) {
      return std::nullopt;
    }
    if (!certain(block)) return std::nullopt;
    return need;
  }

  const FunctionFacts& facts_;
  const Interpreter& interpreter_;
  const Events& events_;
  const OriginTable& origins_;
  const SymbolTable& symbols_;
  const SourceText& source_;
  Graph& graph_;
  State exit_;
};

}  // namespace

Summary summarise(const FunctionFacts& facts, const Interpreter& interpreter, const Flow& flow,
                  const Events& events, const OriginTable& origins, const SymbolTable& symbols,
                  const SourceText& source, Graph& graph) {
  return Summariser(facts, interpreter, events, origins, symbols, source, graph, flow.exit_state())
      .run();
}

}  // namespace xfer::analyzer
