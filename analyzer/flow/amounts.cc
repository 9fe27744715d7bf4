#include "analyzer/flow/amounts.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace xfer::analyzer {
namespace {

/// Of a block, on average, after which nothing is claimed of the function.
constexpr std::size_t kMostVisits = 32;

/// How a term begins that is a field of the object that the function runs on.
constexpr std::string_view kOwn = "this->";

/// It may run code of the program, which may set what does not belong to this function.
bool runs_program(const Call& call) {
  return call.model == nullptr && !call.system && !call.library && !call.quiet &&
         call.form != CallForm::kKernel;
}

}  // namespace

const Amounts::Told& Amounts::at(CallId call) {
  if (!computed_) compute();
  return told_[call];
}

bool Amounts::same_part(CopyId one, CopyId other, bool mirrored) {
  const Part& a = part(one);
  const Part& b = part(other);
  return a.whole() && b.whole() && a.bytes.sum == b.bytes.sum &&
         a.to.sum == (mirrored ? b.from : b.to).sum && a.from.sum == (mirrored ? b.to : b.from).sum;
}

/// The parameter or field, by number, in which callers give an unknown; none: none does.
std::optional<std::uint32_t> Amounts::by_callers(std::uint32_t number, const NumberField& field) {
  const auto& [born, at, object, of, rests_on] = *by_number_[number];
  if (born == Born::kAtEntry) {
    const auto& names = facts_.parameter_names;
    const auto named = std::ranges::find(names, of);
    if (named == names.end()) return std::nullopt;
    return static_cast<std::uint32_t>(named - names.begin());
  }
  if (!field) return std::nullopt;
  if (born == Born::kOfObject) return field(ObjectId(object), fields_[of]);
  if (born != Born::kOfOthers || !facts_.terms[of].text.starts_with(kOwn)) return std::nullopt;
  const Term& own = facts_.terms[of];
  const bool as_found = std::ranges::equal(
      rests_on, own.names,
      [&](const Polynomial& on, std::uint32_t name) { return at_entry(name).sum == on; });
  return as_found ? field(ObjectId(), own.text.substr(kOwn.size())) : std::nullopt;
}

std::optional<Polynomial> Amounts::by_parameters(const Formula& formula, const NumberField& field) {
  if (!formula.sum) return std::nullopt;
  std::optional<Polynomial> sum = Polynomial();
  for (const auto& [product, factor] : formula.sum->products()) {
    std::optional<Polynomial> value = Polynomial::constant(factor);
    for (const std::uint32_t unknown : product) {
      const std::optional<std::uint32_t> number = by_callers(unknown, field);
      if (!number) return std::nullopt;
      if (value) value = value->times(Polynomial::of(*number));
    }
    sum = sum && value ? sum->plus(*value) : std::nullopt;
  }
  return sum;
}

Formula Amounts::in_call(const Polynomial& by_parameters, CallId call,
                         const std::vector<FieldGiven>& fields,
                         const std::vector<ObjectId>& objects) {
  const std::vector<Formula>& numbers = at(call).numbers;
  Formula result{Polynomial(), false};
  for (const auto& [product, factor] : by_parameters.products()) {
    std::optional<Polynomial> value = Polynomial::constant(factor);
    for (const std::uint32_t number : product) {
      if (number >= kFirstFieldGiven) {
        const std::size_t index = number - kFirstFieldGiven;
        if (index >= objects.size() || !objects[index]) return {};
        if (value) value = value->times(*field_of(objects[index], fields[index].name).sum);
        continue;
      }
      if (number >= numbers.size() || !numbers[number].sum) return {};
      result.measured |= numbers[number].measured;
      if (value) value = value->times(*numbers[number].sum);
    }
    result.sum = value && result.sum ? result.sum->plus(*value) : std::nullopt;
  }
  return result;
}

Formula Amounts::bytes(const Room& room) {
  Formula all = room.size.bytes ? in_call(*room.size.bytes, room.made) : Formula{};
  all.measured |= room.size.measured;
  return all;
}

void Amounts::note(CopyId copy, const CopyWithin& within, const std::vector<ObjectId>& objects) {
  const auto come_to = [&](const std::optional<Polynomial>& sum) {
    return sum ? in_call(*sum, copy.call, within.fields, objects) : Formula{};
  };
  Part part{come_to(within.size.bytes), come_to(within.to.at), come_to(within.from.at)};
  part.bytes.measured |= within.size.measured;
  within_[copy] = std::move(part);
}

/// The value of an object's field that no name of this function refers to.
Formula Amounts::field_of(ObjectId object, const std::string& name) {
  auto known = std::ranges::find(fields_, name);
  if (known == fields_.end()) known = fields_.insert(known, name);
  const auto number = static_cast<std::uint32_t>(known - fields_.begin());
  return unknown({Born::kOfObject, 0, object.number(), number, {}});
}

bool Amounts::same_part_in(CopyId copy, const BlockFlags& loop) {
  const Part& copied = part(copy);
  return same_in(copied.bytes, loop) && same_in(copied.to, loop) && same_in(copied.from, loop);
}

bool Amounts::set_in(const Polynomial& sum, const BlockFlags& loop) const {
  return std::ranges::any_of(sum.products(), [&](const auto& product) {
    return std::ranges::any_of(product.first,
                               [&](std::uint32_t number) { return set_in(number, loop); });
  });
}

bool Amounts::set_in(std::uint32_t number, const BlockFlags& loop) const {
  const auto& [born, block, fact, of, rests_on] = *by_number_[number];
  if (born == Born::kAtEntry || born == Born::kOfObject) return false;
  if (born != Born::kOfOthers) return loop[BlockId(block)];
  return std::ranges::any_of(rests_on, [&](const Polynomial& on) { return set_in(on, loop); });
}

void Amounts::compute() {
  computed_ = true;
  find_names();
  find_environments();
  for (const BlockId block : facts_.order) {
    Environment environment = entering_[block];
    run(block, environment, true);
  }
}

/// Those that sizes name, and those that these are set by.
void Amounts::find_names() {
  const auto add = [&](const Formula& formula) {
    const std::size_t before = names_.size();
    if (formula.sum)
      for (const auto& [product, factor] : formula.sum->products())
        for (const std::uint32_t term : product)
          names_.insert(facts_.terms[term].names.begin(), facts_.terms[term].names.end());
    return names_.size() != before;
  };
  for (const Call& call : facts_.calls) {
    add(call.size.bytes);
    if (call.extent == nullptr) continue;
    for (const Formula* formula :
         {&call.extent->to, &call.extent->from, &call.extent->to_has, &call.extent->from_has})
      add(*formula);
  }
  for (const Call& call : facts_.calls)
    for (const Formula& formula : call.numbers) add(formula);
  for (bool more = !names_.empty(); more;) {
    more = false;
    for (const Block& block : facts_.blocks)
      for (const Fact& fact : block.facts)
        if (const auto* change = fact.as<fact::Change>(); change && names_.contains(change->name))
          more |= add(change->to);
  }
}

/// The earliest block first: a loop comes to rest before what follows it goes on.
void Amounts::find_environments() {
  if (names_.empty()) return;
  std::map<BlockId, std::size_t> places;
  std::set<std::size_t> waiting;
  for (std::size_t at = 0; at < facts_.order.size(); ++at) {
    places[facts_.order[at]] = at;
    waiting.insert(at);
  }
  std::map<BlockId, Environment> leaving;
  std::size_t visits = kMostVisits * facts_.order.size();
  for (; !waiting.empty() && visits > 0; --visits) {
    const BlockId block = facts_.order[*waiting.begin()];
    waiting.erase(waiting.begin());
    const bool changed = join(block, leaving);
    if (!changed && leaving.contains(block)) continue;
    Environment environment = entering_[block];
    run(block, environment, false);
    leaving[block] = std::move(environment);
    for (const BlockId next : facts_.blocks[block].successors)
      if (const auto place = places.find(next); place != places.end())
        waiting.insert(place->second);
  }
  if (waiting.empty()) return;
  for (const BlockId block : facts_.order)
    for (const std::uint32_t name : names_)
      entering_[block][name] = unknown({Born::kWherePathsMeet, block.number(), 0, name, {}});
}

bool Amounts::join(BlockId block, const std::map<BlockId, Environment>& leaving) {
  Environment& entering = entering_[block];
  bool changed = false;
  for (const std::uint32_t name : names_) {
    const Formula meeting = unknown({Born::kWherePathsMeet, block.number(), 0, name, {}});
    std::optional<Formula> all;
    for (const BlockId before : facts_.blocks[block].predecessors) {
      const auto left = leaving.find(before);
      if (left == leaving.end()) continue;  // a path round a loop
      const Formula one = value_of(name, left->second);
      if (one.sum == meeting.sum) continue;  // what came in here is what comes round
      if (!all)
        all = one;
      else if (all->sum != one.sum)
        all = Formula{meeting.sum, all->measured || one.measured};
      else
        all->measured |= one.measured;
    }
    if (!all) continue;
    const Formula before = value_of(name, entering);
    if (before.sum == all->sum && before.measured == all->measured) continue;
    entering[name] = *all;
    changed = true;
  }
  return changed;
}

void Amounts::run(BlockId block, Environment& environment, bool note) {
  std::uint32_t number = 0;
  for (const Fact& fact : facts_.blocks[block].facts) {
    ++number;
    if (const auto* change = fact.as<fact::Change>(); change && names_.contains(change->name)) {
      Formula made = evaluate(change->to, environment);
      if (!made.sum) made = unknown({Born::kWhereSet, block.number(), number, change->name, {}});
      environment[change->name] = std::move(made);
    }
    const auto* invoked = fact.as<fact::Invoke>();
    if (invoked == nullptr) continue;
    const Call& call = facts_.calls[invoked->call];
    if (note && (!call.size.text.empty() || !call.numbers.empty())) {
      Told& told = told_[invoked->call];
      told.part.bytes = evaluate(call.size.bytes, environment);
      if (call.extent != nullptr) {
        told.part.to = evaluate(call.extent->to, environment);
        told.part.from = evaluate(call.extent->from, environment);
        told.to_has = evaluate(call.extent->to_has, environment);
        told.from_has = evaluate(call.extent->from_has, environment);
      }
      for (const Formula& one : call.numbers) told.numbers.push_back(evaluate(one, environment));
    }
    if (!runs_program(call)) continue;
    for (const std::uint32_t name : facts_.outside_names)
      if (names_.contains(name))
        environment[name] = unknown({Born::kWhereSet, block.number(), number, name, {}});
  }
}

Formula Amounts::value_of(std::uint32_t name, const Environment& environment) {
  const auto known = environment.find(name);
  return known != environment.end() ? known->second : at_entry(name);
}

/// The value of a variable, or of a field of the function's object that it has set; none: the term
/// is of others, or as callers know it.
std::optional<Formula> Amounts::value_set(const Term& term, const Environment& environment) {
  const std::uint32_t name = term.names.empty() ? 0 : term.names.front();
  if (term.text.empty()) return value_of(name, environment);
  if (term.names.size() != 1 || !term.text.starts_with(kOwn)) return std::nullopt;
  const auto set = environment.find(name);
  if (set == environment.end() || set->second.sum == at_entry(name).sum) return std::nullopt;
  return set->second;
}

Formula Amounts::evaluate(const Formula& formula, const Environment& environment) {
  Formula result{Polynomial(), formula.measured};
  if (!formula.sum) return {{}, formula.measured};
  for (const auto& [product, factor] : formula.sum->products()) {
    std::optional<Polynomial> value = Polynomial::constant(factor);
    for (const std::uint32_t number : product) {
      const Term& term = facts_.terms[number];
      Formula part;
      const std::optional<Formula> set = value_set(term, environment);
      if (set) {
        part = *set;
      } else {
        std::vector<Polynomial> rests_on;
        for (const std::uint32_t name : term.names) {
          const Formula on = value_of(name, environment);
          part.measured |= on.measured;
          rests_on.push_back(on.sum.value_or(Polynomial()));
        }
        part.sum = unknown({Born::kOfOthers, 0, 0, number, std::move(rests_on)}).sum;
      }
      result.measured |= part.measured;
      if (value && part.sum) value = value->times(*part.sum);
    }
    result.sum = value && result.sum ? result.sum->plus(*value) : std::nullopt;
  }
  return result;
}

Formula Amounts::unknown(Unknown what) {
  const auto [entry, added] =
      unknowns_.try_emplace(std::move(what), static_cast<std::uint32_t>(unknowns_.size()));
  if (added) by_number_.push_back(&entry->first);
  return {Polynomial::of(entry->second), false};
}

}  // namespace xfer::analyzer
