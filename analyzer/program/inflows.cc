#include "analyzer/program/inflows.h"

#include <algorithm>
#include <optional>
#include <set>

namespace xfer::analyzer {
namespace {

constexpr unsigned kMaxDepth = 6;

class Sources {
 public:
  explicit Sources(const FunctionView& function) : function_(function) {}

  void add(Device device, unsigned depth = 0) {
    switch (device.kind) {
      case DeviceKind::kBottom: return;
      case DeviceKind::kUnknown: return put(PlaceSet::kUnknown);
      case DeviceKind::kCuda: return put(PlaceSet::kCuda);
      case DeviceKind::kCpu: return put(PlaceSet::kCpu);
      case DeviceKind::kSymbol: break;
    }
    const Symbol& symbol = function_.symbols[device.symbol];
    if (const std::optional<Holder> holder = holder_of(symbol)) {
      Source source;
      source.held = true;
      source.holder = *holder;
      found.push_back(source);
    } else if (!symbol.one_of.empty() && depth < kMaxDepth) {
      for (const Device one : symbol.one_of) add(one, depth + 1);
    } else if (symbol.may_cuda) {
      // What a caller decides may be the same in every run.
      put(decided_by_callers() ? PlaceSet::kUnknown : PlaceSet::kChosen);
    } else {
      put(PlaceSet::kUnknown);
    }
  }

  std::vector<Source> found;

 private:
  void put(PlaceSet::Place place) {
    Source source;
    source.place = PlaceSet(place);
    found.push_back(source);
  }

  bool decided_by_callers() const {
    const Function& function = function_.unit[function_.facts.function];
    const auto given = [](std::uint32_t parameter) { return parameter != kThisParameter; };
    return function.qualified_name != "main" && (std::ranges::any_of(function.deciding, given) ||
                                                 std::ranges::any_of(function_.deciding, given));
  }

  std::optional<Holder> holder_of(const Symbol& symbol) const {
    const FunctionId function = function_.facts.function;
    if (symbol.result_of) return Holder::result(symbol.result_of);
    switch (symbol.origin) {
      case Origin::kThis: return Holder::parameter(function, kThisParameter);
      case Origin::kParameter:
        if (symbol.returned) return std::nullopt;
        return Holder::parameter(function, symbol.parameter);
      case Origin::kField:
        if (function_.unit.fields[symbol.field].library) return std::nullopt;
        return Holder::field(symbol.field);
      default: return std::nullopt;
    }
  }

  const FunctionView& function_;
};

class Collector {
 public:
  Collector(const FunctionView& function, const SourceText& source)
      : function_(function), source_(source) {}

  void add(const HandedEvent& event) {
    if (event.loaded) {
      Inflow inflow;
      inflow.to = event.to;
      inflow.sources.push_back({false, {}, PlaceSet(PlaceSet::kLoaded)});
      inflow.at = at(event.spot);
      found.push_back(std::move(inflow));
      return;
    }
    if (event.value.kind == ValueKind::kNone && event.to.kind == Holder::Kind::kField) {
      add_value(event.to, Device::unknown(), nullptr, event.spot, event.value);
      return;
    }
    const bool object = event.value.kind == ValueKind::kObject;
    add_value(event.to, event.device, object ? &event.object : nullptr, event.spot, event.value);
  }

  void add_value(Holder to, Device device, const Object* object, SpotId spot, const Value& value) {
    Inflow inflow;
    inflow.to = to;
    inflow.sources = sources_of(function_, device);
    if (inflow.sources.empty()) return;
    inflow.at = at(spot);
    if (object != nullptr) {
      inflow.rank = object->rank;
      const Origin origin = function_.origins[value.object].origin;
      inflow.as_held = inflow.rank == Rank::kUnknown &&
                       (origin == Origin::kParameter || origin == Origin::kField);
      inflow.placed = object->placed;
      if (object->where) inflow.made = at(object->where);
      inflow.moves = object->kind == ObjectKind::kModule && to.kind == Holder::Kind::kField;
    }
    found.push_back(std::move(inflow));
  }

  /// A module that the function makes and then moves is where it was moved to. One that it leaves
  /// on the CPU is there; a constructor's may be moved later.
  void settle_modules() {
    const auto is_new = [](const Inflow& inflow) {
      return inflow.to.kind == Holder::Kind::kField && inflow.sources.size() == 1 &&
             !inflow.sources.front().held &&
             inflow.sources.front().place == PlaceSet(PlaceSet::kCpu) &&
             inflow.placed == Placed::kMade;
    };
    std::set<Holder> moved;
    for (const Inflow& inflow : found)
      if (is_module(inflow.to) && inflow.moves && !is_new(inflow)) moved.insert(inflow.to);
    std::erase_if(found, [&](const Inflow& inflow) {
      return is_module(inflow.to) && is_new(inflow) && moved.contains(inflow.to);
    });
    for (Inflow& inflow : found) {
      if (!is_module(inflow.to) || !is_new(inflow)) continue;
      inflow.moves = false;
      if (function_.facts.is_constructor)
        inflow.sources.front().place = PlaceSet(PlaceSet::kNewModule);
    }
    // What a constructor moves another one may leave.
    if (function_.facts.is_constructor)
      for (Inflow& inflow : found) inflow.moves = false;
  }

  std::vector<Inflow> found;

 private:
  bool is_module(const Holder& holder) const {
    return holder.kind == Holder::Kind::kField &&
           function_.unit.fields[holder.field_id()].type.role == Role::kModule;
  }
  Location at(SpotId spot) const {
    return source_.location(function_.facts.spots[spot], function_.facts.name);
  }

  const FunctionView& function_;
  const SourceText& source_;
};

}  // namespace

std::vector<Source> sources_of(const FunctionView& function, Device device) {
  Sources sources(function);
  sources.add(device);
  return std::move(sources.found);
}

std::vector<Inflow> inflows_of(const FunctionView& function, const Events& events,
                               const State& exit, const SourceText& source) {
  Collector collector(function, source);
  for (const HandedEvent& event : events.handed_events) collector.add(event);
  if (const Value* returned = exit.variables.find(kReturnVariable)) {
    const Object* object = exit.objects.find(returned->object);
    const Device device = object == nullptr ? returned->device : exit.device_of(returned->object);
    collector.add_value(Holder::result(function.facts.function), device, object, SpotId(),
                        *returned);
  }
  collector.settle_modules();
  return std::move(collector.found);
}

}  // namespace xfer::analyzer
