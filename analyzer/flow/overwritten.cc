#include "analyzer/flow/overwritten.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

#include "analyzer/flow/fact_numbers.h"

namespace xfer::analyzer {
namespace {

using Places = std::set<PlaceId>;

/// From a point of the function on, the places that are given another value before anybody looks.
/// None: no path from there is known yet.
using Ahead = std::optional<Places>;

class Scan {
 public:
  explicit Scan(const FunctionFacts& facts) : facts_(facts), at_start_(facts.blocks.size()) {}

  std::set<std::pair<FactId, FieldId>> run() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (const BlockId block : facts_.blocks.ids()) {
        Ahead ahead = before(block, nullptr);
        if (ahead == at_start_[block.number()]) continue;
        at_start_[block.number()] = std::move(ahead);
        changed = true;
      }
    }
    std::set<std::pair<FactId, FieldId>> found;
    for (const BlockId block : facts_.blocks.ids()) before(block, &found);
    return found;
  }

 private:
  Ahead before(BlockId id, std::set<std::pair<FactId, FieldId>>* found) const {
    const Block& block = facts_.blocks[id];
    Ahead ahead = after(block);
    if (!ahead) return ahead;
    const std::size_t first = numbers_.first_of(id).number();
    for (std::size_t index = block.facts.size(); index-- > 0;) {
      const Fact& fact = block.facts[index];
      if (const auto* store = fact.as<fact::Store>()) {
        const std::optional<FieldId> field = lasting(store->place);
        if (!field) {
          forget(facts_.places[store->place].root, *ahead);
        } else if (!ahead->insert(store->place).second && found != nullptr) {
          found->emplace(FactId(first + index), *field);
        }
      } else if (const auto* invoke = fact.as<fact::Invoke>()) {
        const Call& call = facts_.calls[invoke->call];
        if (found != nullptr) note_arguments(call, FactId(first + index), *ahead, *found);
        if (may_look(call)) ahead->clear();
      } else if (fact.is<fact::Lose>() || fact.is<fact::Return>()) {
        ahead->clear();
      }
    }
    return ahead;
  }

  Ahead after(const Block& block) const {
    if (block.successors.empty()) return Places();
    Ahead all;
    for (const BlockId next : block.successors) {
      const Ahead& there = at_start_[next.number()];
      // Skips catch blocks: work that an exception leaves half done counts for little.
      if (!there || facts_.blocks[next].catches) continue;
      if (!all) {
        all = there;
        continue;
      }
      Places both;
      std::ranges::set_intersection(*all, *there, std::inserter(both, both.end()));
      all = std::move(both);
    }
    return all;
  }

  /// The field, or the global, that a place is; none: a variable of the function's own.
  std::optional<FieldId> lasting(PlaceId id) const {
    const Place& place = facts_.places[id];
    if (!place.fields.empty()) return place.fields.back();
    const FieldId global = facts_.variables[place.root].field;
    return global == FieldId() ? std::nullopt : std::optional(global);
  }

  /// The variable holds another object now.
  void forget(VariableId root, Places& ahead) const {
    std::erase_if(ahead, [&](PlaceId place) { return facts_.places[place].root == root; });
  }

  /// The values that a library's call puts into its arguments.
  void note_arguments(const Call& call, FactId fact, const Places& ahead,
                      std::set<std::pair<FactId, FieldId>>& found) const {
    for (const Operand& operand : call.arguments)
      if (operand.pass == Pass::kMutable && ahead.contains(operand.place) && !may_look(call))
        found.emplace(fact, *lasting(operand.place));
  }

  /// Code of the project may run, and read the fields: also what a library is given to run.
  static bool may_look(const Call& call) {
    if (call.form == CallForm::kKernel || call.system) return false;
    const auto runs = [](const Operand& operand) { return static_cast<bool>(operand.function); };
    const bool held = call.name == "operator()" && call.receiver.role == Role::kNone;
    return held || std::ranges::any_of(call.arguments, runs) ||
           (!call.library && call.model == nullptr);
  }

  const FunctionFacts& facts_;
  FactNumbers numbers_{facts_};
  std::vector<Ahead> at_start_;
};

}  // namespace

Overwritten::Overwritten(const FunctionFacts& facts) : facts_(Scan(facts).run()) {}

}  // namespace xfer::analyzer
