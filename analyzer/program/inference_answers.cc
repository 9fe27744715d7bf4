// The answers of the inference: where things are, and how they came to be there.

#include <algorithm>
#include <optional>

#include "analyzer/program/inference.h"

namespace xfer::analyzer {
namespace {

constexpr unsigned kMaxNotes = 5;

/// "train.cc:12".
std::string written(const Location& at) {
  return at.file.substr(at.file.rfind('/') + 1) + ":" + std::to_string(at.line);
}

}  // namespace

Inference::Known Inference::known(std::size_t unit, const std::vector<Source>& sources) const {
  Known all;
  bool ranked = false;
  for (const Source& source : sources) {
    if (const auto* place = std::get_if<DeviceSet>(&source.says)) {
      all.devices.add(*place);
      continue;
    }
    if (const auto* choice = std::get_if<Choice>(&source.says)) {
      all.devices.add(chosen(unit, *choice));
      continue;
    }
    if (const auto* agreeing = std::get_if<Agreeing>(&source.says)) {
      std::optional<DeviceSet> places;
      for (const std::vector<Source>& one : agreeing->each) {
        const DeviceSet there = known(unit, one).devices;
        places = places ? common(*places, there) : there;
      }
      all.devices.add(places.value_or(DeviceSet()));
      continue;
    }
    const Held* held = find(unit, std::get<Holder>(source.says));
    if (held == nullptr) return {DeviceSet(DeviceSet::kUnknown)};
    const DeviceSet places = brought(*held);
    all.devices.add(source.one_object ? places.of_one_object() : places);
    all.rank = ranked ? join(all.rank, held->known.rank) : held->known.rank;
    ranked = true;
  }
  return all;
}

std::vector<const Handling*> Inference::handlings(std::size_t unit, const Holder& holder) const {
  std::vector<const Handling*> once;
  const Held* held = find(unit, holder);
  if (held == nullptr) return once;
  // A header's function is in several units.
  const auto same = [](const Handling* one, const Handling* other) {
    return one->moved == other->moved && one->at == other->at;
  };
  for (const Handling* handling : held->handlings)
    if (std::ranges::none_of(once, [&](const Handling* other) { return same(handling, other); }))
      once.push_back(handling);
  return once;
}

std::vector<const Inflow*> Inference::renewals(std::size_t unit, FieldId field) const {
  std::vector<const Inflow*> renewals;
  if (members_[unit].inflows == nullptr) return renewals;
  for (const Inflow& inflow : *members_[unit].inflows)
    if (inflow.renewed && inflow.to == Holder::field(field)) renewals.push_back(&inflow);
  return renewals;
}

std::map<FunctionId, DeviceSet> Inference::given_to(std::size_t unit, FieldId field) const {
  std::map<FunctionId, DeviceSet> given;
  if (members_[unit].inflows == nullptr) return given;
  for (const Inflow& inflow : *members_[unit].inflows)
    if (inflow.to == Holder::field(field))
      given[inflow.by].add(known(unit, inflow.sources).devices);
  return given;
}

bool Inference::gives(std::size_t unit, FunctionId function, FieldId field) const {
  if (members_[unit].inflows == nullptr) return false;
  const Holder to = Holder::field(field);
  const auto is_other = [&](const Inflow& inflow) {
    if (inflow.by != function || inflow.to != to) return false;
    const auto* from =
        inflow.sources.size() == 1 ? std::get_if<Holder>(&inflow.sources[0].says) : nullptr;
    return from == nullptr || *from != to;
  };
  return std::ranges::any_of(*members_[unit].inflows, is_other);
}

std::string Inference::why_unknown(std::size_t unit, const std::vector<Source>& sources) const {
  for (const Source& source : sources) {
    if (const auto* place = std::get_if<DeviceSet>(&source.says)) {
      if (place->has(DeviceSet::kUnknown)) return {};
      continue;
    }
    if (const auto* choice = std::get_if<Choice>(&source.says)) {
      if (chosen(unit, *choice).has(DeviceSet::kUnknown)) return "a choice that all callers settle";
      continue;
    }
    if (const auto* agreeing = std::get_if<Agreeing>(&source.says)) {
      if (known(unit, {source}).devices.has(DeviceSet::kUnknown))
        return why_unknown(unit, agreeing->each.front());
      continue;
    }
    const Holder& holder = std::get<Holder>(source.says);
    const Held* held = find(unit, holder);
    if (held == nullptr) {
      const Unit& of = *members_[unit].unit;
      Held unheld;
      describe(of, holder, unheld);
      return "`" + unheld.name + "`, which nothing reaches";
    }
    if (brought(*held).empty() || brought(*held).has(DeviceSet::kUnknown))
      return why_unknown(*held);
  }
  return "it is nowhere";
}

std::string Inference::why_unknown(const Held& at) const {
  const Held* held = &at;
  std::string path;
  for (unsigned depth = 0; depth < 2 * kMaxNotes; ++depth) {
    path += (path.empty() ? "`" : " <- `") + held->name + "`";
    if (!held->unseen.empty()) return path + ", which may be set by " + held->unseen;
    const std::uint32_t first = held->first[number_of(DeviceSet::kUnknown)];
    if (first == kNone) return path + (held->reached ? ", of a loop" : ", which nothing reaches");
    const Edge& edge = edges_[first];
    if (edge.fixed.has(DeviceSet::kUnknown)) {
      if (edge.inflow == nullptr) return path + ", which must agree with what is not known";
      path += ", given something unknown";
      if (edge.inflow->at.line != 0) path += " at " + written(edge.inflow->at);
      if (edge.inflow->lost.line != 0) path += ", made at " + written(edge.inflow->lost);
      return path;
    }
    for (const Node from : edge.from)
      if (held_[from].known.devices.has(DeviceSet::kUnknown)) held = &held_[from];
  }
  return path + ", too many steps away";
}

std::vector<Note> Inference::trace(std::size_t unit, const std::vector<Source>& sources,
                                   DeviceSet::Bits places) const {
  std::vector<Note> notes;
  for (const Source& source : sources) {
    if (const auto* agreeing = std::get_if<Agreeing>(&source.says))
      for (const std::vector<Source>& one : agreeing->each)
        if (notes.empty()) notes = trace(unit, one, places);
    const auto* holder = std::get_if<Holder>(&source.says);
    const Held* held = holder == nullptr ? nullptr : find(unit, *holder);
    if (held != nullptr && held->known.devices.has(places)) follow(*held, places, 0, notes);
    if (!notes.empty()) break;
  }
  return notes;
}

void Inference::follow(const Held& at, DeviceSet::Bits places, unsigned depth,
                       std::vector<Note>& notes) const {
  const DeviceSet::Bits there = at.known.devices.kinds() & places;
  if (there == 0 || depth > kMaxNotes) return;
  const std::uint32_t first = at.first[number_of(there)];
  if (first == kNone) return;
  const Edge& edge = edges_[first];
  const DeviceSet::Bits place = there & static_cast<DeviceSet::Bits>(-there);
  if (edge.inflow != nullptr) {
    const Inflow& inflow = *edge.inflow;
    if (inflow.to.kind == Holder::Kind::kField)
      notes.push_back({inflow.at, "`" + at.name + "` is set here"});
    else if (inflow.to.kind == Holder::Kind::kParameter)
      notes.push_back({inflow.at, "`" + at.name + "` is called here"});
    if (edge.fixed.has(place) && !inflow.made.file.empty() && !(inflow.made == inflow.at)) {
      const bool cpu = (place & (DeviceSet::kCpu | DeviceSet::kNewModule)) != 0;
      if (inflow.placed == Placed::kMade)
        notes.push_back({inflow.made, cpu ? "made on the CPU here" : "made on CUDA here"});
      else if (inflow.placed == Placed::kMoved)
        notes.push_back({inflow.made, cpu ? "moved to the CPU here" : "moved here"});
    }
    if (edge.fixed.has(place)) return;
  }
  for (const Node from : edge.from)
    if (held_[from].known.devices.has(place)) return follow(held_[from], place, depth + 1, notes);
}

bool Inference::any_unit(bool Unit::* has) const {
  return std::ranges::any_of(
      members_, [&](const Member& member) { return member.unit != nullptr && member.unit->*has; });
}

}  // namespace xfer::analyzer
