#include "analyzer/driver/nolint.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <optional>

#include "analyzer/driver/checks.h"

namespace xfer::lint {
namespace {

enum class Kind { kLine, kNextLine, kBegin, kEnd };

struct Marker {
  Kind kind;
  std::string globs;
};

/// The marker that starts at `text`, which begins with NOLINT; moves `text` behind it.
std::optional<Marker> read_marker(std::string_view& text) {
  text.remove_prefix(std::string_view("NOLINT").size());
  Kind kind = Kind::kLine;
  for (const auto& [suffix, other] :
       {std::pair<std::string_view, Kind>{"NEXTLINE", Kind::kNextLine},
        {"BEGIN", Kind::kBegin},
        {"END", Kind::kEnd}}) {
    if (!text.starts_with(suffix)) continue;
    kind = other;
    text.remove_prefix(suffix.size());
    break;
  }
  // NOLINTED and the like are other words.
  if (!text.empty() &&
      (std::isalnum(static_cast<unsigned char>(text.front())) || text.front() == '_'))
    return std::nullopt;
  if (!text.starts_with('(')) return Marker{kind, "*"};
  const std::size_t close = text.find(')');
  if (close == std::string_view::npos) return Marker{kind, "*"};
  Marker marker{kind, {}};
  for (const char c : text.substr(1, close - 1))
    if (c != ' ' && c != '\t') marker.globs += c;
  text.remove_prefix(close + 1);
  // An empty list names no check.
  return marker;
}

bool globs_match(std::string_view globs, std::string_view check) {
  bool matches = false;
  while (!globs.empty()) {
    const std::size_t comma = std::min(globs.find(','), globs.size());
    std::string_view glob = globs.substr(0, comma);
    globs.remove_prefix(std::min(comma + 1, globs.size()));
    const bool off = glob.starts_with('-');
    if (off) glob.remove_prefix(1);
    if (glob_matches(glob, check)) matches = !off;
  }
  return matches;
}

}  // namespace

NolintFile::NolintFile(std::string_view text) {
  struct Open {
    unsigned line;
    std::string globs;
  };
  std::vector<Open> open;
  for (unsigned number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    for (std::size_t at; (at = line.find("NOLINT")) != std::string_view::npos;) {
      line.remove_prefix(at);
      std::optional<Marker> marker = read_marker(line);
      if (!marker) continue;
      if (marker->kind == Kind::kLine) {
        ranges_.push_back({number, number, std::move(marker->globs)});
      } else if (marker->kind == Kind::kNextLine) {
        ranges_.push_back({number + 1, number + 1, std::move(marker->globs)});
      } else if (marker->kind == Kind::kBegin) {
        open.push_back({number, std::move(marker->globs)});
      } else if (!open.empty() && open.back().globs == marker->globs) {
        ranges_.push_back({open.back().line, number, std::move(marker->globs)});
        open.pop_back();
      } else {
        unmatched_.push_back(number);
      }
    }
  }
  for (const Open& begin : open) unmatched_.push_back(begin.line);
}

bool NolintFile::suppresses(std::string_view check, unsigned line) const {
  for (const Range& range : ranges_)
    if (range.first <= line && line <= range.last && globs_match(range.globs, check)) return true;
  return false;
}

bool NolintFilter::suppresses(const Finding& finding) {
  const std::string& name = finding.location.file;
  auto entry = files_.find(name);
  if (entry == files_.end()) {
    std::ifstream in(name, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    entry = files_.try_emplace(name, text).first;
  }
  return entry->second.suppresses(fmt::format("xfer-{}", info(finding.rule).slug),
                                  finding.location.line);
}

std::vector<std::string> NolintFilter::unmatched() const {
  std::vector<std::string> places;
  for (const auto& [name, file] : files_)
    for (const unsigned line : file.unmatched()) places.push_back(fmt::format("{}:{}", name, line));
  return places;
}

}  // namespace xfer::lint
