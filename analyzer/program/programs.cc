#include "analyzer/program/programs.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

namespace xfer::analyzer {
namespace {

/// A definition that calls of other units may be of.
struct Definition {
  std::size_t unit;
  std::string_view folder;
};

std::string_view folder_of(std::string_view place) {
  const std::size_t end = place.rfind('/');
  return end == std::string_view::npos ? std::string_view() : place.substr(0, end + 1);
}

/// How much of their way from the root two folders share.
std::size_t shared_path(std::string_view one, std::string_view other) {
  const auto [end, rest] = std::ranges::mismatch(one, other);
  return folder_of(one.substr(0, static_cast<std::size_t>(end - one.begin()))).size();
}

class Linker {
 public:
  explicit Linker(const std::vector<const Unit*>& units) : units_(units), mains_(units.size()) {
    for (std::size_t unit = 0; unit < units.size(); ++unit)
      if (units[unit] != nullptr) note(unit);
  }

  std::vector<Program> programs() const {
    std::vector<Program> all;
    std::set<std::size_t> linked;
    for (std::size_t unit = 0; unit < units_.size(); ++unit) {
      if (mains_[unit].empty()) continue;
      const std::set<std::size_t> members = link(unit);
      all.emplace_back(members.begin(), members.end());
      linked.insert(members.begin(), members.end());
    }
    Program others;
    for (std::size_t unit = 0; unit < units_.size(); ++unit)
      if (units_[unit] != nullptr && !linked.contains(unit)) others.push_back(unit);
    if (all.empty()) return {std::move(others)};
    for (Program& program : all) {
      program.insert(program.end(), others.begin(), others.end());
      std::ranges::sort(program);
    }
    return all;
  }

 private:
  void note(std::size_t number) {
    const Unit& unit = *units_[number];
    for (const Field& global : unit.fields)
      if (!global.defined_at.empty() && !global.identity.empty())
        definitions_[global.identity].push_back({number, folder_of(global.defined_at)});
    for (const Function& function : unit.functions) {
      if (!function.defined || function.identity.empty()) continue;
      const Definition here{number, folder_of(function.defined_at)};
      definitions_[function.identity].push_back(here);
      for (const FunctionId base : function.overrides)
        if (!unit[base].identity.empty()) overriders_[unit[base].identity].push_back(here);
      if (function.qualified_name == "main" && function.facts != nullptr)
        mains_[number] = function.defined_at;
    }
  }

  /// The units that a main's calls lead to.
  std::set<std::size_t> link(std::size_t start) const {
    const std::string_view home = folder_of(mains_[start]);
    std::set<std::size_t> members = {start};
    std::vector<std::size_t> open = {start};
    const auto add = [&](std::size_t unit) {
      if (mains_[unit].empty() && members.insert(unit).second) open.push_back(unit);
    };
    while (!open.empty()) {
      const Unit& unit = *units_[open.back()];
      open.pop_back();
      for (const Field& global : unit.fields)
        if (global.defined_at.empty() && !global.identity.empty())
          add_nearest(definitions_, global.identity, home, add);
      for (const Function& function : unit.functions) {
        if (function.identity.empty()) continue;
        if (!function.defined) add_nearest(definitions_, function.identity, home, add);
        if (const auto own = overriders_.find(function.identity); own != overriders_.end())
          for (const Definition& method : own->second) add(method.unit);
      }
    }
    return members;
  }

  using Definitions = std::unordered_map<std::string_view, std::vector<Definition>>;

  template <class Add>
  static void add_nearest(const Definitions& definitions, std::string_view identity,
                          std::string_view home, const Add& add) {
    const auto found = definitions.find(identity);
    if (found == definitions.end()) return;
    std::size_t nearest = 0;
    for (const Definition& one : found->second)
      nearest = std::max(nearest, shared_path(one.folder, home));
    for (const Definition& one : found->second)
      if (shared_path(one.folder, home) == nearest) add(one.unit);
  }

  const std::vector<const Unit*>& units_;
  std::vector<std::string> mains_;  ///< by unit, where its main is defined; empty: it has none
  Definitions definitions_, overriders_;
};

}  // namespace

std::vector<Program> programs_of(const std::vector<const Unit*>& units) {
  return Linker(units).programs();
}

}  // namespace xfer::analyzer
