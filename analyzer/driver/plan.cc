#include "analyzer/driver/plan.h"

#include <algorithm>
#include <set>

#include "analyzer/driver/leading_includes.h"
#include "analyzer/driver/project.h"

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

std::string identity(const ParseCommand& command) {
  std::string text = command.file.string();
  for (const std::string& argument : command.arguments) text += '\n' + argument;
  return text;
}

/// The command for the libraries' headers alone: without the project's own folders and the macros
/// that CMake makes for each shared library, so that the targets of a project share one header.
ParseCommand library_command(const ParseCommand& command, const fs::path& root) {
  ParseCommand result = command;
  result.arguments.clear();
  const auto& words = command.arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool folder = words[i] == "-I" || words[i] == "-iquote" || words[i] == "-isystem";
    if (folder && i + 1 < words.size()) {
      const std::string& path = words[i + 1];
      const bool own = is_project_file(path + "/", root.string()) && !holds_heavy_library(path);
      if (!own) result.arguments.insert(result.arguments.end(), {words[i], path});
      ++i;
    } else if (words[i] == "-D" && i + 1 < words.size()) {
      const std::string& macro = words[i + 1];
      if (!macro.ends_with("_EXPORTS"))
        result.arguments.insert(result.arguments.end(), {"-D", macro});
      ++i;
    } else {
      result.arguments.push_back(words[i]);
    }
  }
  return result;
}

PchState state_of(const PchCache& cache, const std::string& key, const PlannedPch& pch,
                  unsigned workers) {
  if (cache.failed(key)) return PchState::kNone;
  if (cache.is_fresh(key)) return PchState::kReady;
  const bool wanted_before = cache.note_wanted(key);
  return wanted_before || pch.units > workers ? PchState::kToBuild : PchState::kNone;
}

struct Candidate {
  std::string key;
  std::vector<std::string> headers;
};

/// The headers that a unit starts with, and less of them, longest first.
std::vector<Candidate> candidates_of(const ParseCommand& shared, std::vector<std::string> headers) {
  std::vector<Candidate> result;
  while (!headers.empty()) {
    result.push_back({PchCache::key(shared, headers), headers});
    headers.pop_back();
    headers = up_to_heavy(std::move(headers));
  }
  return result;
}

/// Few precompiled headers for many units: the longest one that some units share, unless a longer one is
/// there already.
class Chooser {
 public:
  Chooser(const PchCache& cache, std::size_t units, unsigned workers)
      : cache_(cache), enough_(std::clamp<std::size_t>(units / 8, workers + 1, 8)) {}

  void add(const std::vector<Candidate>& candidates) {
    for (const Candidate& candidate : candidates) ++units_[candidate.key];
  }
  const Candidate& choose(const std::vector<Candidate>& candidates) {
    for (const Candidate& candidate : candidates)
      if (units_.at(candidate.key) >= enough_ || is_fresh(candidate.key)) return candidate;
    return candidates.front();
  }

 private:
  bool is_fresh(const std::string& key) {
    const auto [known, is_new] = fresh_.try_emplace(key, false);
    if (is_new) known->second = cache_.is_fresh(key);
    return known->second;
  }

  const PchCache& cache_;
  std::size_t enough_;
  std::map<std::string, std::size_t> units_;
  std::map<std::string, bool> fresh_;
};

}  // namespace

std::string shorten_pch(Plan& plan, const std::string& key, std::size_t whole,
                        const PchCache& cache, unsigned workers) {
  const PlannedPch failed = plan.pchs.at(key);
  std::vector<std::string> headers = failed.headers;
  headers.resize(std::min(headers.size(), whole));
  headers = up_to_heavy(std::move(headers));
  const std::string shorter = headers.empty() ? "" : PchCache::key(failed.command, headers);
  for (PlannedUnit& unit : plan.units)
    if (unit.pch_key == key) unit.pch_key = shorter;
  plan.pchs.erase(key);
  if (shorter.empty()) return shorter;
  PlannedPch& pch = plan.pchs[shorter];
  const bool is_new = pch.units == 0;
  pch.units += failed.units;
  if (!is_new && pch.state != PchState::kNone) return shorter;
  pch.command = failed.command;
  pch.headers = std::move(headers);
  pch.state = state_of(cache, shorter, pch, workers);
  return shorter;
}

Plan make_plan(const std::vector<CompileCommand>& commands, const Toolchain& toolchain,
               const fs::path& root, const PchCache* cache, unsigned workers) {
  Plan plan;
  std::set<std::string> seen;
  std::vector<std::pair<std::size_t, std::vector<Candidate>>> wishes;  // of units
  for (const CompileCommand& command : commands) {
    PlannedUnit unit{translate_command(command, toolchain), {}};
    if (!seen.insert(identity(unit.command)).second) continue;
    if (cache != nullptr && unit.command.file.extension() != ".c") {
      const IncludeContext context{include_folders(unit.command), [&](const fs::path& file) {
                                     return is_project_file(file.string(), root.string());
                                   }};
      auto headers = leading_includes(unit.command.file, context);
      if (!headers.empty())
        wishes.emplace_back(plan.units.size(), candidates_of(library_command(unit.command, root),
                                                             std::move(headers)));
    }
    plan.units.push_back(std::move(unit));
  }
  if (wishes.empty()) return plan;
  Chooser chooser(*cache, plan.units.size(), workers);
  for (const auto& [unit, candidates] : wishes) chooser.add(candidates);
  for (const auto& [unit, candidates] : wishes) {
    const Candidate& chosen = chooser.choose(candidates);
    plan.units[unit].pch_key = chosen.key;
    PlannedPch& pch = plan.pchs[chosen.key];
    ++pch.units;
    pch.command = library_command(plan.units[unit].command, root);
    pch.headers = chosen.headers;
  }
  std::vector<std::string> keys;
  for (auto& [key, pch] : plan.pchs) {
    pch.state = state_of(*cache, key, pch, workers);
    keys.push_back(key);
  }
  for (std::string key : keys)
    while (!key.empty() && cache->failed(key))
      key = shorten_pch(plan, key, *cache->failed(key), *cache, workers);
  return plan;
}

}  // namespace xfer::lint
