#include "analyzer/program/inference.h"

#include <algorithm>
#include <deque>

namespace xfer::analyzer {
namespace {

std::vector<const Unit*> units_of(const std::vector<Inference::Member>& members) {
  std::vector<const Unit*> units;
  for (const Inference::Member& member : members) units.push_back(member.unit);
  return units;
}

}  // namespace

Inference::Inference(std::vector<Member> members, std::string lacks)
    : members_(std::move(members)),
      nodes_(members_.size()),
      lacks_(std::move(lacks)),
      choices_(units_of(members_)) {
  for (const Member& member : members_) {
    if (member.unit == nullptr) continue;
    for (const ClassId moved : *member.moved)
      if (!(*member.unit)[moved].identity.empty()) moved_.insert((*member.unit)[moved].identity);
    for (const FieldId id : member.unit->fields.ids()) {
      const Field& field = member.unit->fields[id];
      if (!field.defined_at.empty()) globals_.insert(field.identity);
      if (field.registered) registered_.insert(identity(*member.unit, Holder::field(id)));
    }
    for (const Function& function : member.unit->functions) {
      if (!function.defined_at.empty())
        definitions_[function.identity][function.defined_at] |= function.facts != nullptr;
    }
  }
  for (std::size_t unit = 0; unit < members_.size(); ++unit) {
    if (members_[unit].unit == nullptr) continue;
    for (const Inflow& inflow : *members_[unit].inflows) add(unit, inflow);
    for (const Handling& handling : *members_[unit].handlings)
      held_[node(unit, handling.from)].handlings.push_back(&handling);
    add_overrides(unit);
    close_functions(unit);
  }
  close_fields();
  share_moves();
  solve(false);
  solve(true);
}

/// Two programs may define functions of one name: then a call of it from elsewhere may be of any.
std::string Inference::identity(const Function& function) const {
  const auto known = definitions_.find(function.identity);
  if (function.identity.empty() || known == definitions_.end() || known->second.size() == 1)
    return function.identity;
  return function.defined_at.empty() ? std::string() : function.identity + function.defined_at;
}

std::string Inference::identity(const Unit& unit, const Holder& holder) const {
  if (holder.kind == Holder::Kind::kField) {
    const Field& field = unit.fields[holder.field_id()];
    if (field.global) return field.identity.empty() ? field.identity : "global " + field.identity;
    const std::string& owner = unit[field.owner].identity;
    return owner.empty() ? std::string() : owner + "::" + field.name;
  }
  const std::string function = identity(unit[holder.function]);
  if (function.empty()) return {};
  const std::string number = std::to_string(holder.number);
  if (holder.kind == Holder::Kind::kResult) return function + " result";
  return function + (holder.kind == Holder::Kind::kLeft ? " left " : " ") + number;
}

void Inference::describe(const Unit& unit, const Holder& holder, Held& held) const {
  held.first.fill(kNone);
  if (holder.kind == Holder::Kind::kField) {
    const Field& field = unit.fields[holder.field_id()];
    held.module = field.type.role == Role::kModule;
    held.device = field.type.role == Role::kDevice;
    held.field = true;
    held.name = field.name;
    return;
  }
  const Function& function = unit[holder.function];
  held.name = function.qualified_name;
  if (holder.kind == Holder::Kind::kResult || holder.kind == Holder::Kind::kLeft) return;
  held.module = holder.number == kThisParameter;
  if (holder.number >= function.parameters.size()) return;
  held.module = function.parameters[holder.number].role == Role::kModule;
  held.device = function.parameters[holder.number].role == Role::kDevice;
}

Inference::Node Inference::node(std::size_t unit, const Holder& holder) {
  const auto [known, added] = nodes_[unit].try_emplace(holder, 0);
  if (!added) return known->second;
  const Unit& of = *members_[unit].unit;
  const std::string name = identity(of, holder);
  if (!name.empty()) {
    const auto [shared, first] = shared_.try_emplace(name, static_cast<Node>(held_.size()));
    if (!first) return known->second = shared->second;
  }
  describe(of, holder, held_.emplace_back());
  return known->second = static_cast<Node>(held_.size() - 1);
}

const Inference::Held* Inference::find(std::size_t unit, const Holder& holder) const {
  const auto known = nodes_[unit].find(holder);
  if (known != nodes_[unit].end()) return &held_[known->second];
  const std::string name = identity(*members_[unit].unit, holder);
  const auto shared = name.empty() ? shared_.end() : shared_.find(name);
  return shared == shared_.end() ? nullptr : &held_[shared->second];
}

void Inference::add(std::size_t unit, const Inflow& inflow) {
  if (inflow.same) return add_same(unit, inflow);
  Edge edge;
  edge.to = node(unit, inflow.to);
  edge.unit = unit;
  edge.inflow = &inflow;
  gather(unit, inflow.sources, edge);
  held_[edge.to].reached = true;
  held_[edge.to].moved |= inflow.moves;
  held_[edge.to].module |= inflow.module && inflow.to.kind == Holder::Kind::kField;
  add(std::move(edge));
}

/// Two holders of one module: it is for both where it is for either.
void Inference::add_same(std::size_t unit, const Inflow& inflow) {
  const Node one = node(unit, inflow.to);
  const Node other = node(unit, std::get<Holder>(inflow.sources.front().says));
  if (one == other) return;
  for (const auto& [from, to] : {std::pair(one, other), std::pair(other, one)}) {
    Edge edge;
    edge.to = to;
    edge.unit = unit;
    edge.from = {from};
    edge.very = edge.same = true;
    add(std::move(edge));
  }
}

/// A module that is moved for one holder is moved for all.
void Inference::share_moves() {
  std::vector<Node> moved;
  for (Node node = 0; node < held_.size(); ++node)
    if (held_[node].moved) moved.push_back(node);
  while (!moved.empty()) {
    const Node node = moved.back();
    moved.pop_back();
    for (const std::uint32_t number : held_[node].outgoing) {
      const Edge& edge = edges_[number];
      if (!edge.same || held_[edge.to].moved) continue;
      held_[edge.to].moved = true;
      moved.push_back(edge.to);
    }
  }
}

void Inference::add(Edge edge) {
  for (const Node from : edge.from)
    held_[from].outgoing.push_back(static_cast<std::uint32_t>(edges_.size()));
  edges_.push_back(std::move(edge));
}

Inference::Node Inference::unnamed() {
  held_.emplace_back().first.fill(kNone);
  held_.back().reached = true;
  return static_cast<Node>(held_.size() - 1);
}

DeviceSet Inference::chosen(std::size_t unit, const Choice& choice) const {
  switch (choices_.picked(unit, choice.function, choice.by)) {
    case Pick::Side::kCpu: return DeviceSet(DeviceSet::kCpu);
    case Pick::Side::kCuda: return DeviceSet(DeviceSet::kCuda);
    case Pick::Side::kUnknown: break;
  }
  switch (choices_.settled(unit, choice.function, choice.by)) {
    case Settled::kByAll: return DeviceSet(DeviceSet::kSettled | DeviceSet::kUnknown);
    case Settled::kBySome: return DeviceSet(DeviceSet::kSettled | DeviceSet::kChosen);
    case Settled::kByNobody: break;
  }
  return DeviceSet(DeviceSet::kChosen);
}

void Inference::gather(std::size_t unit, const std::vector<Source>& sources, Edge& edge) {
  for (const Source& source : sources) {
    if (const auto* place = std::get_if<DeviceSet>(&source.says)) edge.fixed.add(*place);
    if (const auto* choice = std::get_if<Choice>(&source.says))
      edge.fixed.add(chosen(unit, *choice));
    if (const auto* holder = std::get_if<Holder>(&source.says))
      edge.from.push_back(node(unit, *holder));
    edge.one_object |= source.one_object;
    const auto* agreeing = std::get_if<Agreeing>(&source.says);
    if (agreeing == nullptr) continue;
    Edge agreed;
    agreed.to = unnamed();
    agreed.unit = unit;
    agreed.agreeing = true;
    for (const std::vector<Source>& one : agreeing->each) {
      Edge part;
      part.to = unnamed();
      part.unit = unit;
      gather(unit, one, part);
      agreed.from.push_back(part.to);
      add(std::move(part));
    }
    edge.from.push_back(agreed.to);
    add(std::move(agreed));
  }
}

/// A call that names a method may run any that overrides it.
void Inference::add_overrides(std::size_t unit) {
  const Unit& of = *members_[unit].unit;
  const auto connect = [&](const Holder& from, const Holder& to) {
    Edge edge;
    edge.from = {node(unit, from)};
    edge.to = node(unit, to);
    edge.unit = unit;
    if (edge.from.front() == edge.to) return;
    edge.very = true;
    held_[edge.to].reached = true;
    add(std::move(edge));
  };
  for (std::size_t number = 1; number < of.functions.size(); ++number) {
    const FunctionId method(number);
    for (const FunctionId base : of[method].overrides) {
      const auto hand_down = [&](std::uint32_t index) {
        const Holder given = Holder::parameter(base, index);
        connect(given, Holder::parameter(method, index));
        held_[node(unit, given)].overridden |= !of[of[base].owner].library && !of[base].stands_in;
      };
      connect(Holder::result(method), Holder::result(base));
      hand_down(kThisParameter);
      for (std::uint32_t index = 0; index < of[method].declared; ++index) {
        hand_down(index);
        connect(Holder::left(method, index), Holder::left(base, index));
      }
    }
  }
}

/// A module that is moved leaves the field where it is: that is unregistered-tensor's to say.
bool Inference::left_behind(std::size_t unit, const Field& field) const {
  const Class& owner = (*members_[unit].unit)[field.owner];
  const bool part = field.type.role == Role::kTensor || field.type.role == Role::kModule;
  // A field that is assigned again is where the new value is.
  return owner.module && part && !field.registered && !field.changes.replaced &&
         (members_[unit].moved->contains(field.owner) || moved_.contains(owner.identity));
}

/// Of the code that may change the field, that of which no facts tell what it does. Empty: they
/// tell of all.
std::string Inference::unseen_writer(std::size_t number, const Field& field) const {
  const Unit& unit = *members_[number].unit;
  const Class& owner = unit[field.owner];
  if (left_behind(number, field)) return "a module that moves and leaves it";
  if (!field.registered && !owner.identity.empty() &&
      registered_.contains(owner.identity + "::" + field.name))
    return "the module that it is registered in elsewhere";
  if (field.library || owner.library) return "a library";
  if (field.unreadable) return "code that does not parse";
  if (field.global && !field.identity.empty() && !globals_.contains(field.identity))
    return "code that is not here, like its initializer";
  if (field.changes.unseen) return "code that takes its address or that the compiler makes";
  if (field.open && !lacks_.empty()) return "any code, as " + lacks_;
  const auto read = [&](FunctionId method) {
    const Function& function = unit[method];
    if (function.facts != nullptr) return true;
    const auto known = definitions_.find(function.identity);
    // In a whole program, all that is called has a body.
    if (known == definitions_.end()) return lacks_.empty() && !function.identity.empty();
    return std::ranges::all_of(known->second, [](const auto& one) { return one.second; });
  };
  for (const auto& methods : {owner.elsewhere, field.changes.methods})
    for (const FunctionId method : methods)
      if (!read(method)) return "`" + unit[method].qualified_name + "`, whose body is not here";
  return {};
}

/// Marks as unseen the parameters and results of functions that are not followed everywhere.
void Inference::close_functions(std::size_t unit) {
  const Unit& of = *members_[unit].unit;
  for (std::size_t number = 1; number < of.functions.size(); ++number) {
    const FunctionId id(number);
    const Function& function = of[id];
    if (function.open)
      held_[node(unit, Holder::result(id))].unseen = "a function that is not known";
    if (!function.given_away) continue;
    for (std::uint32_t index = 0; index < function.declared; ++index)
      held_[node(unit, Holder::parameter(id, index))].unseen = "code that it is given to";
  }
}

void Inference::close_fields() {
  for (std::size_t unit = 0; unit < members_.size(); ++unit) {
    if (members_[unit].unit == nullptr) continue;
    const Unit& of = *members_[unit].unit;
    for (const FieldId field : of.fields.ids()) {
      if (!of.fields[field].owner && !of.fields[field].global) continue;
      std::string unseen = unseen_writer(unit, of.fields[field]);
      if (!unseen.empty()) held_[node(unit, Holder::field(field))].unseen = std::move(unseen);
    }
  }
}

/// The devices known of a holder, for the holders that its value is handed to.
DeviceSet Inference::brought(const Held& held) const {
  return held.module ? held.known.devices.of_module(held.moved) : held.known.devices;
}

DeviceSet Inference::brought(const Edge& edge) const {
  DeviceSet places = edge.fixed;
  bool first = true;
  for (const Node from : edge.from) {
    if (edge.agreeing && !first)
      places = common(places, brought(held_[from]));
    else
      places.add(brought(held_[from]));
    first = false;
  }
  return edge.one_object ? places.of_one_object() : places;
}

/// Of the very value of one of the sources.
Rank Inference::rank_brought(const Edge& edge) const {
  if (edge.from.empty() || !edge.fixed.empty()) return Rank::kUnknown;
  Rank rank = held_[edge.from.front()].known.rank;
  for (const Node from : edge.from) rank = join(rank, held_[from].known.rank);
  return rank;
}

/// First where modules are, then all else: a tensor that is made where a module is has never been
/// where that was made.
void Inference::solve(bool modules_known) {
  for (Held& held : held_) {
    if (modules_known && held.module) {
      held.known.devices = brought(held);
      continue;
    }
    held.known = {};
    held.ranked = false;
    held.first.fill(kNone);
    if (!held.unseen.empty()) held.known.devices.add(DeviceSet(DeviceSet::kUnknown));
  }
  // In a whole program nobody calls a method by its base if no call names that.
  const auto uncalled = [&](const Held& held) { return held.overridden && lacks_.empty(); };
  for (Held& held : held_)
    if (!held.reached && !uncalled(held) && held.known.devices.empty())
      held.known.devices.add(DeviceSet(held.device ? DeviceSet::kGiven : DeviceSet::kUnknown));
  std::deque<std::uint32_t> pending;
  for (std::uint32_t edge = 0; edge < edges_.size(); ++edge) pending.push_back(edge);
  spread(std::move(pending), modules_known);
  // Values that go round a cycle and are nowhere came from unseen code: mostly through a field.
  for (const bool fields : {true, false}) spread(without_a_start(fields), modules_known);
}

/// Makes a holder unknown if its sources are nowhere either. Returns the edges to look at then.
std::deque<std::uint32_t> Inference::without_a_start(bool fields) {
  std::deque<std::uint32_t> pending;
  for (const Edge& edge : edges_) {
    Held& to = held_[edge.to];
    const bool asked = fields ? to.field : !edge.from.empty();
    if (!asked || edge.agreeing || !to.known.devices.empty()) continue;
    to.known.devices.add(DeviceSet(DeviceSet::kUnknown));
    pending.insert(pending.end(), to.outgoing.begin(), to.outgoing.end());
  }
  return pending;
}

/// Until no edge brings anything new.
void Inference::spread(std::deque<std::uint32_t> pending, bool modules_known) {
  while (!pending.empty()) {
    const std::uint32_t number = pending.front();
    pending.pop_front();
    const Edge& edge = edges_[number];
    Held& to = held_[edge.to];
    const DeviceSet places = brought(edge);
    const Rank before = to.known.rank;
    bool changed = false;
    if (!places.empty() && (edge.very || edge.inflow != nullptr)) {
      const bool very = edge.very || edge.inflow->as_held;
      const Rank rank = very ? rank_brought(edge) : edge.inflow->rank;
      to.known.rank = to.ranked ? join(to.known.rank, rank) : rank;
      changed = !to.ranked || before != to.known.rank;
      to.ranked = true;
    }
    if (modules_known && to.module) continue;
    for (DeviceSet::Bits fresh = to.known.devices.add(places); fresh != 0; fresh &= fresh - 1U) {
      to.first[number_of(fresh)] = number;
      changed = true;
    }
    if (changed) pending.insert(pending.end(), to.outgoing.begin(), to.outgoing.end());
  }
}

}  // namespace xfer::analyzer
