#include "analyzer/driver/diff_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "analyzer/driver/run_program.h"
#include "analyzer/driver/usage_error.h"

namespace xfer::lint {
namespace {

/// The path of a "+++ b/…" line; git quotes names with unusual characters.
std::string path_of(std::string name) {
  if (const std::size_t tab = name.find('\t'); tab != std::string::npos) name.erase(tab);
  if (!name.empty() && name.back() == '\r') name.pop_back();
  if (name.size() > 1 && name.front() == '"') name = name.substr(1, name.size() - 2);
  if (name == "/dev/null") return {};
  const std::size_t slash = name.find('/');
  return slash == std::string::npos ? name : name.substr(slash + 1);
}

ProgramResult git(const std::filesystem::path& root, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"git", "-C", root.string(), "-c", "core.quotepath=off"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_program(command);
}

/// Why git answers nothing in `root`; empty: it does.
std::string why_no_git(const std::filesystem::path& root) {
  const ProgramResult probe = git(root, {"rev-parse", "--is-inside-work-tree"});
  if (probe.exit_code == 0 && probe.output.starts_with("true")) return {};
  if (probe.exit_code < 0) return "git cannot be run: install it, or give a patch: --diff-only -";
  if (probe.errors.find("safe.directory") != std::string::npos)
    return fmt::format(
        "git does not trust {}, which another user owns: git config --global --add safe.directory "
        "{}",
        root.string(), root.string());
  return fmt::format(
      "{} is not in a git work tree: name one with --root, or give a patch: "
      "--diff-only -",
      root.string());
}

}  // namespace

ChangedLines ChangedLines::from_patch(std::istream& patch) {
  ChangedLines result;
  std::string line, file;
  // Lines of a hunk's body still to come: a removed "-- x" looks like a header there.
  unsigned removed = 0, added = 0;
  while (std::getline(patch, line)) {
    if (removed != 0 || added != 0) {
      const char kind = line.empty() ? ' ' : line.front();
      if (kind == '\\') continue;
      if (kind != '+' && removed != 0) --removed;
      if (kind != '-' && added != 0) --added;
      continue;
    }
    if (line.starts_with("+++ ")) {
      file = path_of(line.substr(4));
    } else if (line.starts_with("@@ ")) {
      const std::size_t minus = line.find('-'), plus = line.find('+');
      if (minus == std::string::npos || plus == std::string::npos || file.empty()) continue;
      const auto range = [&](std::size_t at) {
        unsigned start = 0, count = 1;
        if (std::sscanf(line.c_str() + at + 1, "%u,%u", &start, &count) < 1) start = count = 0;
        return std::pair(start, count);
      };
      removed = range(minus).second;
      const auto [start, count] = range(plus);
      added = count;
      if (count != 0) result.changed_[file].push_back({start, start + count - 1});
    }
  }
  return result;
}

ChangedLines ChangedLines::from_git(const std::string& revision,
                                    const std::filesystem::path& root) {
  if (revision.starts_with('-'))
    throw UsageError(fmt::format("--diff-only: expected a revision, got '{}'", revision));
  if (const std::string why = why_no_git(root); !why.empty())
    throw UsageError("--diff-only: " + why);
  const ProgramResult diff = git(root, {"diff", "-U0", "--no-color", "--no-ext-diff", "--relative",
                                        "--src-prefix=a/", "--dst-prefix=b/", revision, "--"});
  if (diff.exit_code != 0)
    throw UsageError(fmt::format(
        "--diff-only: there is no revision '{}' in {} (git branch -a lists the branches; a shallow "
        "clone has to fetch it first)",
        revision, root.string()));
  std::istringstream patch(diff.output);
  ChangedLines result = from_patch(patch);
  std::istringstream untracked(git(root, {"ls-files", "--others", "--exclude-standard"}).output);
  for (std::string file; std::getline(untracked, file);)
    result.changed_[file].push_back({1, std::numeric_limits<unsigned>::max()});
  return result;
}

bool ChangedLines::contains(const std::string& file, unsigned line) const {
  const auto entry = changed_.find(file);
  return entry != changed_.end() && std::ranges::any_of(entry->second, [&](const Lines& lines) {
           return lines.first <= line && line <= lines.last;
         });
}

bool ChangedLines::touches(const Finding& finding) const {
  return contains(finding.location.file, finding.location.line) ||
         std::ranges::any_of(finding.notes, [&](const Note& note) {
           return contains(note.location.file, note.location.line);
         });
}

}  // namespace xfer::lint
