#include "analyzer/driver/plan.h"

#include <algorithm>
#include <optional>
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
                  unsigned workers, bool is_fresh) {
  if (cache.failed(key)) return PchState::kNone;
  if (is_fresh) return PchState::kReady;
  const bool wanted_before = cache.note_wanted(key);
  return wanted_before || pch.units > workers ? PchState::kToBuild : PchState::kNone;
}

struct Candidate {
  std::string key;
  std::vector<std::string> headers;
};

/// The precompiled headers that a unit could share.
struct Wish {
  std::size_t unit = 0;
  ParseCommand command;
  std::vector<Candidate> candidates;  ///< best first
};

/// The headers that a unit starts with, less of them, and the heaviest alone; not those that an
/// earlier run knows to fail. Those with the heaviest come first.
std::vector<Candidate> candidates_of(const ParseCommand& command, std::vector<std::string> headers,
                                     const PchCache& cache) {
  std::vector<Candidate> result;
  const std::vector<std::string> heavy = heavy_ones(headers);
  while (!headers.empty()) {
    const std::string key = PchCache::key(command, headers);
    const std::optional<std::size_t> whole = cache.failed(key);
    if (!whole) result.push_back({key, headers});
    headers.resize(std::min(whole.value_or(headers.size()), headers.size() - 1));
    headers = up_to_heavy(std::move(headers));
  }
  for (const std::string& header : heavy) {
    const std::string key = PchCache::key(command, {header});
    if (!cache.failed(key) && std::ranges::count(result, key, &Candidate::key) == 0)
      result.push_back({key, {header}});
  }
  std::ranges::stable_partition(result, [&](const Candidate& candidate) {
    return std::ranges::count(candidate.headers, heavy.front()) > 0;
  });
  return result;
}

/// Few precompiled headers for many units: the first one that some units share, unless one before
/// it is there already.
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
  /// As the cache says, which looks at every header's time to know.
  bool is_fresh(const std::string& key) {
    const auto [known, is_new] = fresh_.try_emplace(key, false);
    if (is_new) known->second = cache_.is_fresh(key);
    return known->second;
  }

 private:
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
  pch.state = state_of(cache, shorter, pch, workers, cache.is_fresh(shorter));
  return shorter;
}

std::vector<PlannedUnit> units_of(const std::vector<CompileCommand>& commands,
                                  const Toolchain& toolchain) {
  std::vector<PlannedUnit> units;
  std::set<std::string> seen;
  for (const CompileCommand& command : commands) {
    PlannedUnit unit{translate_command(command, toolchain), {}, {}};
    if (seen.insert(identity(unit.command)).second) units.push_back(std::move(unit));
  }
  return units;
}

Plan make_plan(std::vector<PlannedUnit> units, const fs::path& root, const PchCache* cache,
               unsigned workers) {
  Plan plan;
  std::vector<Wish> wishes;
  for (PlannedUnit& unit : units) {
    if (cache != nullptr && unit.command.file.extension() != ".c") {
      const IncludeContext context{include_folders(unit.command), [&](const fs::path& file) {
                                     return is_project_file(file.string(), root.string());
                                   }};
      Wish wish{plan.units.size(), library_command(unit.command, root), {}};
      wish.candidates =
          candidates_of(wish.command, leading_includes(unit.command.file, context), *cache);
      if (!wish.candidates.empty()) wishes.push_back(std::move(wish));
    }
    plan.units.push_back(std::move(unit));
  }
  if (wishes.empty()) return plan;
  Chooser chooser(*cache, plan.units.size(), workers);
  for (const Wish& wish : wishes) chooser.add(wish.candidates);
  for (const Wish& wish : wishes) {
    const Candidate& chosen = chooser.choose(wish.candidates);
    plan.units[wish.unit].pch_key = chosen.key;
    PlannedPch& pch = plan.pchs[chosen.key];
    ++pch.units;
    pch.command = wish.command;
    pch.headers = chosen.headers;
  }
  for (auto& [key, pch] : plan.pchs)
    pch.state = state_of(*cache, key, pch, workers, chooser.is_fresh(key));
  return plan;
}

}  // namespace xfer::lint
