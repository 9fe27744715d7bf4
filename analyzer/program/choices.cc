#include "analyzer/program/choices.h"

#include <algorithm>
#include <set>
#include <utility>

namespace xfer::analyzer {
namespace {

/// The class or one of its bases.
template <class Found>
bool any_base(const Unit& unit, ClassId owner, const Found& found) {
  const auto in_base = [&](ClassId base) { return any_base(unit, base, found); };
  return found(owner) || std::ranges::any_of(unit[owner].bases, in_base);
}

std::string field_of(const Unit& unit, ClassId owner, const std::string& field) {
  return unit[owner].identity + "::" + field;
}

}  // namespace

Choices::Choices(std::vector<const Unit*> units) : units_(std::move(units)) {
  std::vector<std::pair<std::size_t, FunctionId>> choosing;
  for (std::size_t unit = 0; unit < units_.size(); ++unit) {
    if (units_[unit] == nullptr) continue;
    const std::deque<Function>& functions = units_[unit]->functions;
    for (std::size_t number = 1; number < functions.size(); ++number) {
      look_at(unit, FunctionId(number));
      if (!functions[number].deciding.empty()) choosing.emplace_back(unit, FunctionId(number));
    }
  }
  std::vector<Decider> deciders;
  for (const auto& [unit, function] : choosing)
    for (Rest& rest : rests(unit, function, (*units_[unit])[function].deciding))
      deciders.push_back(std::move(rest.on));
  settle(std::move(deciders));
  find_values();
  calls_.clear();
}

std::string Choices::name(std::size_t unit, FunctionId function) const {
  const Function& named = (*units_[unit])[function];
  if (!named.identity.empty()) return named.identity;
  return std::to_string(unit) + '/' + std::to_string(function.number());
}

void Choices::look_at(std::size_t unit, FunctionId function) {
  const Function& of = (*units_[unit])[function];
  if (of.is_virtual) overridable_.insert(name(unit, function));
  if (of.facts == nullptr) return;
  for (const Call& call : of.facts->calls)
    if (call.callee && !call.given.empty())
      calls_[name(unit, call.callee)].push_back({unit, function, &call});
  for (const Setting& set : of.settings)
    settings_[{field_of(*units_[unit], set.owner, set.field), kThisParameter}].push_back(
        {unit, function, &set.given});
}

/// Not those of which nobody can tell: an object that decides in ways that no field tells, and
/// fields that others set.
std::vector<Choices::Rest> Choices::rests(std::size_t unit, FunctionId function,
                                          const Deciders& deciders) const {
  std::vector<Rest> found;
  for (const auto& [parameter, leaves] : deciders.parameters)
    if (parameter != kThisParameter) found.push_back({{name(unit, function), parameter}, leaves});
  const Unit& of = *units_[unit];
  for (const auto& [field, leaves] : deciders.fields)
    any_base(of, of[function].object, [&](ClassId owner) {
      const Decider decider{field_of(of, owner, field), kThisParameter};
      const bool set = settings_.contains(decider);
      if (set) found.push_back({decider, leaves});
      return set;
    });
  return found;
}

std::vector<Choices::Giving> Choices::given(const Decider& decider) const {
  if (const auto set = settings_.find(decider); set != settings_.end()) return set->second;
  std::vector<Giving> all;
  const auto calls = calls_.find(decider.of);
  if (calls == calls_.end()) return all;
  for (const CallSite& site : calls->second) {
    const std::vector<GivenValue>& values = site.call->given;
    const bool written = decider.parameter < values.size();
    all.push_back({site.unit, site.caller, written ? &values[decider.parameter] : &values.back()});
  }
  return all;
}

/// A field that starts with one value and is given another: which of them it has the run decides.
bool Choices::varies(const Decider& decider, const std::vector<Giving>& givings) {
  if (decider.parameter != kThisParameter) return false;
  std::set<std::int64_t> numbers;
  for (const Giving& giving : givings)
    if (giving.value->number) numbers.insert(*giving.value->number);
  return numbers.size() > 1;
}

/// A decider that nothing gives is open, and so is one whose value may differ between runs; then
/// all deciders that rest on these. The rest is settled.
void Choices::settle(std::vector<Decider> pending) {
  std::map<Decider, std::vector<Decider>> followers;
  std::set<Decider> seen;
  std::vector<Decider> open;
  while (!pending.empty()) {
    const Decider decider = std::move(pending.back());
    pending.pop_back();
    if (!seen.insert(decider).second) continue;
    const std::vector<Giving> givings = given(decider);
    if (givings.empty() && !overridable_.contains(decider.of)) open.push_back(decider);
    if (varies(decider, givings)) {
      open.push_back(decider);
      varying_.insert(decider);
      continue;
    }
    for (const Giving& giving : givings) {
      if (giving.value->settled) continue;
      const std::vector<Rest> resting = rests(giving.unit, giving.function, giving.value->rests_on);
      if (resting.empty()) open.push_back(decider);
      for (const Rest& other : resting) {
        followers[other.on].push_back(decider);
        pending.push_back(other.on);
      }
    }
  }
  for (const Decider& decider : seen)
    if (!varying_.contains(decider)) values_.try_emplace(decider);
  settled_ = std::move(seen);
  while (!open.empty()) {
    const Decider decider = std::move(open.back());
    open.pop_back();
    if (settled_.erase(decider) == 0) continue;
    const auto resting = followers.find(decider);
    if (resting != followers.end()) std::ranges::copy(resting->second, std::back_inserter(open));
  }
}

/// Finds given values that are alike in every run. One caller may settle what another leaves open.
void Choices::find_values() {
  for (bool more = true; more;) {
    more = false;
    for (auto& [decider, known] : values_) {
      const std::vector<Giving> givings = given(decider);
      Values found = known;
      found.unseen |= givings.empty();
      for (const Giving& giving : givings) found.add(values(giving));
      more |= !(found == known);
      known = std::move(found);
    }
  }
}

Choices::Values Choices::values(const Giving& giving) const {
  const GivenValue& value = *giving.value;
  if (value.number) return {.numbers = {*value.number}};
  if (value.settled) return {.numbers = {}, .other = true};
  Values all;
  for (const Rest& rest : rests(giving.unit, giving.function, value.rests_on))
    if (const auto known = values_.find(rest.on); known != values_.end()) all.add(known->second);
  if (value.as_is) return all;
  return {.numbers = {}, .other = all.other || !all.numbers.empty(), .unseen = all.unseen};
}

bool Choices::some_settle(const Rest& rest) const {
  const Values& some = values_.at(rest.on);
  return some.other || std::ranges::any_of(some.numbers, [&](std::int64_t number) {
           return rest.leaves != left_by(number != 0);
         });
}

std::optional<bool> Choices::Values::pass(const Test& test) const {
  if (other || unseen || numbers.empty()) return std::nullopt;
  const bool first = test.holds(*numbers.begin());
  const bool all = std::ranges::all_of(
      numbers, [&](std::int64_t number) { return test.holds(number) == first; });
  return all ? std::optional(first) : std::nullopt;
}

Pick::Side Choices::picked(std::size_t unit, FunctionId function, const Deciders& deciders) const {
  const std::vector<Rest> resting = rests(unit, function, deciders);
  if (!deciders.pick || resting.size() != 1) return Pick::Side::kUnknown;
  const Decider& on = resting.front().on;
  if (!settled_.contains(on)) return Pick::Side::kUnknown;
  const std::optional<bool> passes = values_.at(on).pass(deciders.pick->test);
  if (!passes) return Pick::Side::kUnknown;
  return *passes ? deciders.pick->if_true : deciders.pick->if_false;
}

Settled Choices::settled(std::size_t unit, FunctionId function, const Deciders& deciders) const {
  Settled by = Settled::kByNobody;
  for (const Rest& rest : rests(unit, function, deciders)) {
    if (!values_.contains(rest.on)) continue;
    if (settled_.contains(rest.on) && !values_.at(rest.on).leave_open(rest.leaves))
      return Settled::kByAll;
    if (some_settle(rest)) by = Settled::kBySome;
  }
  return by;
}

}  // namespace xfer::analyzer
