#include "analyzer/driver/plan.h"

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

PchState state_of(const PchCache& cache, const std::string& key, const PlannedPch& pch,
                  unsigned workers) {
  if (cache.has_failed(key)) return PchState::kNone;
  if (cache.is_fresh(key)) return PchState::kReady;
  const bool wanted_before = cache.note_wanted(key);
  return wanted_before || pch.units > workers ? PchState::kToBuild : PchState::kNone;
}

}  // namespace

Plan make_plan(const std::vector<CompileCommand>& commands, const Toolchain& toolchain,
               const fs::path& root, const PchCache* cache, unsigned workers) {
  Plan plan;
  std::set<std::string> seen;
  for (const CompileCommand& command : commands) {
    PlannedUnit unit{translate_command(command, toolchain), {}};
    if (!seen.insert(identity(unit.command)).second) continue;
    if (cache != nullptr && unit.command.file.extension() != ".c") {
      const IncludeContext context{include_folders(unit.command), [&](const fs::path& file) {
                                     return is_project_file(file.string(), root.string());
                                   }};
      const auto headers = leading_includes(unit.command.file, context);
      if (!headers.empty()) {
        unit.pch_key = PchCache::key(unit.command, headers);
        PlannedPch& pch = plan.pchs[unit.pch_key];
        if (pch.units++ == 0) pch.first_unit = plan.units.size();
        pch.headers = headers;
      }
    }
    plan.units.push_back(std::move(unit));
  }
  for (auto& [key, pch] : plan.pchs) pch.state = state_of(*cache, key, pch, workers);
  return plan;
}

}  // namespace xfer::lint
