#include "analyzer/driver/apply_fixes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

bool same(const Replacement& a, const Replacement& b) {
  return a.offset == b.offset && a.length == b.length && a.text == b.text;
}

/// Two insertions at one place have no order, so they conflict too.
bool overlap(const Replacement& a, const Replacement& b) {
  if (a.length == 0 && b.length == 0) return a.offset == b.offset;
  return a.offset < b.offset + std::max<std::uint64_t>(b.length, 1) &&
         b.offset < a.offset + std::max<std::uint64_t>(a.length, 1);
}

struct SourceFile {
  std::string text;
  std::vector<Replacement> accepted;
};

class Fixer {
 public:
  explicit Fixer(const fs::path& root) : root_(root) {}

  bool accept(const Fix& fix) {
    for (const Replacement& replacement : fix.replacements) {
      const SourceFile* file = open(replacement.file);
      if (file == nullptr || replacement.offset > file->text.size() ||
          replacement.length > file->text.size() - replacement.offset)
        return false;
      for (const Replacement& other : file->accepted)
        if (!same(replacement, other) && overlap(replacement, other)) return false;
    }
    for (const Replacement& replacement : fix.replacements) {
      auto& accepted = open(replacement.file)->accepted;
      if (std::ranges::none_of(accepted,
                               [&](const Replacement& o) { return same(o, replacement); }))
        accepted.push_back(replacement);
    }
    return true;
  }

  /// The files that could not be written.
  std::vector<std::string> write(std::size_t& written) {
    std::vector<std::string> failed;
    for (auto& [name, file] : files_) {
      if (!file || file->accepted.empty()) continue;
      std::ranges::sort(file->accepted, std::ranges::greater{}, &Replacement::offset);
      for (const Replacement& replacement : file->accepted)
        file->text.replace(replacement.offset, replacement.length, replacement.text);
      if (save(root_ / name, file->text)) {
        ++written;
      } else {
        failed.push_back(name);
      }
    }
    return failed;
  }

 private:
  SourceFile* open(const std::string& name) {
    const auto [entry, is_new] = files_.try_emplace(name);
    if (is_new) {
      std::ifstream in(root_ / name, std::ios::binary);
      if (in) {
        entry->second.emplace();
        entry->second->text.assign(std::istreambuf_iterator<char>(in),
                                   std::istreambuf_iterator<char>());
      }
    }
    return entry->second ? &*entry->second : nullptr;
  }

  /// By a temporary file and a rename, so that a full disk does not eat a source. Follows links.
  static bool save(const fs::path& name, const std::string& text) {
    std::error_code error;
    const fs::path file = fs::canonical(name, error);
    if (error || ::access(file.c_str(), W_OK) != 0) return false;
    const fs::path temporary = fmt::format("{}.xferlint-{}", file.string(), ::getpid());
    {
      std::ofstream out(temporary, std::ios::binary);
      out << text;
      if (!out.flush()) {
        fs::remove(temporary, error);
        return false;
      }
    }
    fs::permissions(temporary, fs::status(file).permissions(), error);
    fs::rename(temporary, file, error);
    return !error;
  }

  const fs::path& root_;
  std::map<std::string, std::optional<SourceFile>> files_;
};

}  // namespace

FixResult apply_fixes(const std::vector<Finding>& findings, const fs::path& root) {
  FixResult result;
  result.applied.assign(findings.size(), false);
  Fixer fixer(root);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    if (!finding.fix || finding.fix->replacements.empty()) continue;
    result.applied[i] = fixer.accept(*finding.fix);
    if (!result.applied[i]) {
      result.problems.push_back(
          fmt::format("{}:{}: fix not applied: it overlaps another one; run again",
                      finding.location.file, finding.location.line));
    }
  }
  const std::vector<std::string> failed = fixer.write(result.files);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!result.applied[i]) continue;
    for (const Replacement& replacement : findings[i].fix->replacements)
      if (std::ranges::find(failed, replacement.file) != failed.end()) result.applied[i] = false;
  }
  for (const std::string& name : failed) result.problems.push_back(name + ": cannot be written");
  return result;
}

}  // namespace xfer::lint
