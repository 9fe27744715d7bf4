#include "analyzer/program/inflows.h"

#include <algorithm>
#include <optional>
#include <set>

#include "analyzer/flow/overwritten.h"
#include "analyzer/program/shared_modules.h"

namespace xfer::analyzer {
namespace {

constexpr unsigned kMaxDepth = 12;

class Sources {
 public:
  explicit Sources(const FunctionView& function, std::set<SymbolId> looked_at = {})
      : function_(function), looked_at_(std::move(looked_at)) {}

  void add(Device device, unsigned depth = 0) {
    switch (device.kind) {
      case DeviceKind::kBottom: return;
      case DeviceKind::kUnknown: return put(DeviceSet(DeviceSet::kUnknown));
      case DeviceKind::kCuda: return put(DeviceSet(DeviceSet::kCuda));
      case DeviceKind::kCpu: return put(DeviceSet(DeviceSet::kCpu));
      case DeviceKind::kSymbol: break;
    }
    const Symbol& symbol = function_.symbols[device.symbol];
    // One that is made of what it was before adds nothing to that.
    if (!looked_at_.insert(device.symbol).second) return;
    add(symbol, depth);
    looked_at_.erase(device.symbol);
  }

  std::vector<Source> found;

 private:
  void add(const Symbol& symbol, unsigned depth) {
    if (const std::optional<Holder> holder = holder_of(symbol)) {
      put(*holder);
      found.back().one_object = symbol.of_one_object;
    } else if (!symbol.all_of.empty() && depth < kMaxDepth) {
      add_agreeing(symbol.all_of, depth + 1);
    } else if (!symbol.one_of.empty() && depth < kMaxDepth && !chosen_here(symbol)) {
      for (const Device one : symbol.one_of) add(one, depth + 1);
    } else if (symbol.loaded) {
      put(DeviceSet(DeviceSet::kLoaded));
    } else if (symbol.may_cuda) {
      put(choice());
    } else {
      put(DeviceSet(DeviceSet::kUnknown));
    }
  }

  /// The function chooses between places that it names itself, or between CUDA and what was there.
  bool chosen_here(const Symbol& symbol) const {
    if (!symbol.may_cuda) return false;
    const auto named = [](Device one) { return one.is_known(); };
    const auto cuda = [](Device one) { return one.is_cuda(); };
    return std::ranges::all_of(symbol.one_of, named) || std::ranges::any_of(symbol.one_of, cuda);
  }
  Choice choice() const {
    Choice choice{function_.facts.function, function_.unit[function_.facts.function].deciding};
    choice.by.add(function_.deciding);
    return choice;
  }

  template <class Says>
  void put(Says says) {
    found.emplace_back().says = std::move(says);
  }

  void add_agreeing(const std::vector<Device>& devices, unsigned depth) {
    Agreeing agreeing;
    for (const Device device : devices) {
      Sources one(function_, looked_at_);
      one.add(device, depth);
      if (!one.found.empty()) agreeing.each.push_back(std::move(one.found));
    }
    if (agreeing.each.empty()) return;
    put(std::move(agreeing));
  }

  std::optional<Holder> holder_of(const Symbol& symbol) const {
    const FunctionId function = function_.facts.function;
    if (symbol.held) return symbol.held;
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
  std::set<SymbolId> looked_at_;
};

class Collector {
 public:
  Collector(const FunctionView& function, const Events& events, const State& exit,
            const SourceText& source)
      : function_(function), events_(events), exit_(exit), source_(source) {}

  void add(const HandedEvent& event) {
    if (event.loaded) {
      Inflow inflow;
      inflow.by = function_.facts.function;
      inflow.to = event.to;
      inflow.sources.emplace_back().says = DeviceSet(DeviceSet::kLoaded);
      inflow.at = at(event.spot);
      found.push_back(std::move(inflow));
      return;
    }
    if (event.value.kind == ValueKind::kNone && event.to.kind == Holder::Kind::kField) {
      add_value(event.to, Device::unknown(), nullptr, event.spot);
      return;
    }
    const bool object = event.value.kind == ValueKind::kObject;
    const std::size_t before = found.size();
    add_value(event.to, object ? event.device : left(event), object ? &event.object : nullptr,
              event.spot);
    if (found.size() > before) found.back().renewed = object && renews(event);
  }

  /// The value that the function leaves at its end.
  void add_value(Holder to, const Value& value) {
    const Object* object = exit_.objects.find(value.object);
    const Device device = object == nullptr ? value.device : exit_.device_of(value.object);
    const std::vector<ObjectId> parts =
        object == nullptr ? std::vector<ObjectId>() : exit_.parts_of(value.object);
    const bool whole = object != nullptr &&
                       (object->kind == ObjectKind::kRecord || object->kind == ObjectKind::kTuple);
    if (!whole || parts.empty() || device.is_symbol() || device.is_known())
      return add_value(to, device, object, SpotId());
    // Of a record some field may never have been looked at.
    if (object->kind == ObjectKind::kRecord && device.kind != DeviceKind::kBottom)
      return add_value(to, device, object, SpotId());
    for (const ObjectId part : parts)
      add_value(to, exit_.device_of(part), exit_.objects.find(part), SpotId());
  }

  void add_value(Holder to, Device device, const Object* object, SpotId spot) {
    Inflow inflow;
    inflow.by = function_.facts.function;
    inflow.to = to;
    // Of managed memory, and of what may be pinned, the program says nothing.
    const bool shared = object != nullptr && object->kind == ObjectKind::kMemory &&
                        device.is_cpu() && object->memory != Memory::kPageable;
    const bool pinned = shared && object->memory == Memory::kPinned;
    if (shared && !pinned) device = Device::unknown();
    if (pinned)
      inflow.sources.emplace_back().says = DeviceSet(DeviceSet::kPinned);
    else
      inflow.sources = sources_of(function_, device);
    // A tensor that is not defined yet, an empty list: they are nowhere, and yet they are given.
    if (inflow.sources.empty() && device.kind != DeviceKind::kBottom) return;
    inflow.at = at(spot);
    if (const SpotId since = unknown_since(function_, device)) inflow.lost = at(since);
    if (object != nullptr) {
      inflow.rank = without_holder(object->rank);
      inflow.as_held = object->rank == Rank::kHeld;
      inflow.placed = object->placed;
      if (object->placed_at) inflow.made = at(object->placed_at);
      // Of a list only what it holds is ever moved.
      inflow.module = object->kind == ObjectKind::kModule ||
                      (object->kind == ObjectKind::kList && object->placed == Placed::kMoved);
      inflow.moves = inflow.module && to.kind == Holder::Kind::kField;
      if (inflow.module && is_list(to)) lists_of_modules_.insert(to);
    }
    found.push_back(std::move(inflow));
  }

  /// Modules of several holders, and where each of these finds them after a move.
  void add(const SharedModules& shared, const std::vector<RelocatedEvent>& moves) {
    for (const auto& [module, holders] : shared.all()) {
      for (const Holder& holder : holders) {
        if (holder == *holders.begin()) continue;
        Inflow& same = found.emplace_back();
        same.to = holder;
        same.sources.emplace_back().says = *holders.begin();
        same.same = true;
      }
    }
    for (const RelocatedEvent& move : moves) {
      const auto holders = shared.all().find(move.id);
      if (holders == shared.all().end()) continue;
      for (const Holder& holder : holders->second)
        add_value(holder, move.device, &move.object, move.spot);
    }
  }

  /// A module that the function makes and then moves is where it was moved to. One that it leaves
  /// on the CPU is there; a constructor's may be moved later.
  void settle_modules() {
    const auto is_new = [](const Inflow& inflow) {
      if (inflow.to.kind != Holder::Kind::kField || inflow.sources.size() != 1) return false;
      const auto* place = std::get_if<DeviceSet>(&inflow.sources.front().says);
      return place != nullptr && *place == DeviceSet(DeviceSet::kCpu) &&
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
      if (function_.facts.is_constructor || function_.facts.initialises)
        inflow.sources.front().says = DeviceSet(DeviceSet::kNewModule);
    }
    // Another constructor may leave a module that this one moves.
    if (function_.facts.is_constructor)
      for (Inflow& inflow : found) inflow.moves = false;
  }

  std::vector<Inflow> found;

 private:
  bool has_role(const Holder& holder, Role role) const {
    return holder.kind == Holder::Kind::kField &&
           function_.unit.fields[holder.field_id()].type.role == role;
  }
  bool is_list(const Holder& holder) const { return has_role(holder, Role::kList); }
  bool is_module(const Holder& holder) const {
    return has_role(holder, Role::kModule) || lists_of_modules_.contains(holder);
  }
  /// A device that one of several branches gives a field: the function leaves there that of any.
  Device left(const HandedEvent& event) const {
    if (event.to.kind != Holder::Kind::kField) return event.device;
    for (const auto& [key, value] : exit_.fields) {
      if (key.second != event.to.field_id() || !value.device.is_symbol()) continue;
      const std::vector<Device>& one_of = function_.symbols[value.device.symbol].one_of;
      if (std::ranges::find(one_of, event.device) != one_of.end()) return value.device;
    }
    return event.device;
  }
  /// The field is given what it held, moved.
  bool renews(const HandedEvent& event) const {
    if (event.to.kind != Holder::Kind::kField) return false;
    return std::ranges::any_of(events_.transfer_events, [&](const TransferEvent& transfer) {
      const Device from = transfer.source_object.device;
      if (!transfer.given || transfer.result != event.value.object || !from.is_symbol())
        return false;
      const Symbol& symbol = function_.symbols[from.symbol];
      return symbol.origin == Origin::kField && symbol.field == event.to.field_id() &&
             is_others(symbol.base);
    });
  }
  /// An object that outlives the function.
  bool is_others(ObjectId whole) const {
    OriginTable::Entry origin = function_.origins[whole];
    while (origin.origin == Origin::kField) origin = function_.origins[origin.whole()];
    if (origin.origin != Origin::kParameter) return origin.origin == Origin::kThis;
    const std::vector<VariableId>& parameters = function_.facts.parameters;
    if (origin.a >= parameters.size()) return false;
    const Variable& given = function_.facts.variables[parameters[origin.a]];
    return given.reference || given.type.handle;
  }
  Location at(SpotId spot) const {
    return source_.location(function_.facts.spots[spot], function_.facts.name);
  }

  const FunctionView& function_;
  const Events& events_;
  const State& exit_;
  const SourceText& source_;
  std::set<Holder> lists_of_modules_;
};

}  // namespace

std::vector<Source> sources_of(const FunctionView& function, Device device) {
  Sources sources(function);
  sources.add(device);
  return std::move(sources.found);
}

SpotId unknown_since(const FunctionView& function, Device device, unsigned depth) {
  if (!device.is_symbol() || depth > kMaxDepth) return {};
  const Symbol& symbol = function.symbols[device.symbol];
  for (const std::vector<Device>* some : {&symbol.one_of, &symbol.all_of})
    for (const Device one : *some)
      if (const SpotId spot = unknown_since(function, one, depth + 1)) return spot;
  return symbol.one_of.empty() && symbol.all_of.empty() ? symbol.made : SpotId();
}

std::vector<Inflow> inflows_of(const FunctionView& function, const Events& events,
                               const State& exit, const SourceText& source) {
  Collector collector(function, events, exit, source);
  const Overwritten overwritten(function.facts);
  for (const HandedEvent& event : events.handed_events)
    if (event.to.kind != Holder::Kind::kField ||
        !overwritten.contains(event.fact, event.to.field_id()))
      collector.add(event);
  if (const Value* returned = exit.variables.find(kReturnVariable)) {
    collector.add_value(Holder::result(function.facts.function), *returned);
  }
  for (std::uint32_t number = 0; number < function.facts.parameters.size(); ++number) {
    const VariableId variable = function.facts.parameters[number];
    if (!function.facts.variables[variable].reference) continue;
    if (const Value* left = exit.variables.find(variable))
      collector.add_value(Holder::left(function.facts.function, number), *left);
  }
  collector.add(SharedModules(function, events, exit), events.relocated_events);
  collector.settle_modules();
  return std::move(collector.found);
}

}  // namespace xfer::analyzer
