#include "analyzer/program/programs.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "analyzer/program/whole_program.h"

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

/// A program while it is put together.
struct Linked {
  std::string_view home;  ///< the folder of its start
  bool tests = false;     ///< it starts tests
  std::set<std::size_t> members;
};

/// The program that starts in the nearest folder around this one; null: none does.
const Linked* nearest_start(const std::vector<Linked>& programs, std::string_view folder) {
  const Linked* nearest = nullptr;
  for (const Linked& program : programs)
    if (folder.starts_with(program.home) &&
        (nearest == nullptr || program.home.size() > nearest->home.size()))
      nearest = &program;
  return nearest;
}

class Linker {
 public:
  explicit Linker(const std::vector<const Unit*>& units) : units_(units), mains_(units.size()) {
    for (std::size_t unit = 0; unit < units.size(); ++unit)
      if (units[unit] != nullptr) note(unit);
    for (const auto& [identity, definitions] : definitions_)
      for (const Definition& one : definitions)
        for (const Definition& other : definitions)
          if (other.folder != one.folder) rivals_[one.unit].emplace(one.folder, other.folder);
  }

  std::vector<Program> programs() const {
    std::vector<Linked> linked;
    for (std::size_t unit = 0; unit < units_.size(); ++unit)
      if (mains_[unit]) linked.push_back(start({unit}));
    if (linked.empty()) return {left_out(linked)};
    add_tests(linked);
    // Programs of nearer starts may have the unit as well: which one links it nobody says.
    for (const std::size_t unit : left_out(linked)) {
      const Linked* nearest = nearest_start(linked, units_[unit]->folder);
      for (Linked& program : linked)
        if (nearest == nullptr || program.home.starts_with(nearest->home)) link(program, {unit});
    }
    std::vector<Program> all;
    for (const Linked& program : linked)
      all.emplace_back(program.members.begin(), program.members.end());
    return all;
  }

 private:
  std::vector<std::size_t> left_out(const std::vector<Linked>& programs) const {
    std::vector<std::size_t> left;
    for (std::size_t unit = 0; unit < units_.size(); ++unit)
      if (units_[unit] != nullptr && std::ranges::none_of(programs, [&](const Linked& program) {
            return program.members.contains(unit);
          }))
        left.push_back(unit);
    return left;
  }

  /// Tests that no `main` of their own starts: a framework's does, for those of a folder.
  void add_tests(std::vector<Linked>& programs) const {
    std::map<std::string_view, std::vector<std::size_t>> tests;
    for (const std::size_t unit : left_out(programs)) {
      const Linked* nearest = nearest_start(programs, units_[unit]->folder);
      if (units_[unit]->tests && (nearest == nullptr || !nearest->tests))
        tests[units_[unit]->folder].push_back(unit);
    }
    for (const auto& [folder, units] : tests) programs.push_back(start(units));
  }

  void note(std::size_t number) {
    const Unit& unit = *units_[number];
    mains_[number] = has_main(unit);
    for (const Field& global : unit.fields)
      if (!global.defined_at.empty() && !global.identity.empty())
        definitions_[global.identity].push_back({number, folder_of(global.defined_at)});
    for (const Function& function : unit.functions) {
      if (!function.defined || function.identity.empty()) continue;
      const Definition here{number, folder_of(function.defined_at)};
      definitions_[function.identity].push_back(here);
      if (function.link_name.empty()) continue;  // all units that make such objects have it
      for (const FunctionId base : function.overrides)
        if (!unit[base].identity.empty()) overriders_[unit[base].identity].push_back(here);
    }
  }

  Linked start(const std::vector<std::size_t>& units) const {
    Linked program{units_[units.front()]->folder, units_[units.front()]->tests, {}};
    link(program, units);
    return program;
  }

  /// Adds units, and those that their calls lead to.
  void link(Linked& program, const std::vector<std::size_t>& units) const {
    std::vector<std::size_t> open;
    for (const std::size_t unit : units)
      if (program.members.insert(unit).second) open.push_back(unit);
    const auto add = [&](std::size_t unit) {
      if (!mains_[unit] && program.members.insert(unit).second) open.push_back(unit);
    };
    while (!open.empty()) {
      const Unit& unit = *units_[open.back()];
      open.pop_back();
      for (const Field& global : unit.fields)
        if (global.defined_at.empty() && !global.identity.empty())
          add_nearest(definitions_, global.identity, program.home, add);
      for (const Function& function : unit.functions) {
        if (function.identity.empty()) continue;
        if (!function.defined) add_nearest(definitions_, function.identity, program.home, add);
        if (const auto own = overriders_.find(function.identity); own != overriders_.end())
          for (const Definition& method : own->second)
            if (!is_of_another(method.unit, program.home)) add(method.unit);
      }
    }
  }

  /// It defines what a unit nearer to the start defines, too: no program has both.
  bool is_of_another(std::size_t unit, std::string_view home) const {
    const auto rivals = rivals_.find(unit);
    return rivals != rivals_.end() && std::ranges::any_of(rivals->second, [&](const auto& folders) {
             return shared_path(folders.second, home) > shared_path(folders.first, home);
           });
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
  std::vector<bool> mains_;  ///< by unit: it has a main
  Definitions definitions_, overriders_;
  /// By unit: folders of what it defines, each with another where the same is defined.
  std::map<std::size_t, std::set<std::pair<std::string_view, std::string_view>>> rivals_;
};

}  // namespace

std::vector<Program> programs_of(const std::vector<const Unit*>& units) {
  return Linker(units).programs();
}

}  // namespace xfer::analyzer
