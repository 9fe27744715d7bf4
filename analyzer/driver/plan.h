#pragma once
// The plan of a run: the units to parse, and the precompiled headers that pay for themselves.

#include <map>
#include <string>
#include <vector>

#include "analyzer/driver/compile_db.h"
#include "analyzer/driver/compiler_args.h"
#include "analyzer/driver/pch_cache.h"

namespace xfer::lint {

enum class PchState { kNone, kToBuild, kBuilding, kReady };

struct PlannedUnit {
  ParseCommand command;
  std::string pch_key;  ///< empty: no heavy header in front
  std::string key;      ///< under which its facts are kept; empty: they are not
};

struct PlannedPch {
  PchState state = PchState::kNone;
  ParseCommand command;  ///< of the first unit, without what does not concern libraries
  std::vector<std::string> headers;
  std::size_t units = 0;
};

struct Plan {
  std::vector<PlannedUnit> units;
  std::map<std::string, PlannedPch> pchs;
};

/// After the precompiled header `key` failed, whose first `whole` headers do compile: lets its
/// units share those. The key that they have now, empty: none.
std::string shorten_pch(Plan& plan, const std::string& key, std::size_t whole,
                        const PchCache& cache, unsigned workers);

/// Translates each command; the same file with the same options comes once.
std::vector<PlannedUnit> units_of(const std::vector<CompileCommand>& commands,
                                  const Toolchain& toolchain);

/// Of units that have to be parsed. A precompiled header is built when more files share it than
/// there are workers, or when an earlier run wanted it too: one costs about one and a half parses.
/// Files that start alike share one that holds what they start with. `cache` null: none.
Plan make_plan(std::vector<PlannedUnit> units, const std::filesystem::path& root,
               const PchCache* cache, unsigned workers);

}  // namespace xfer::lint
