#include "analyzer/flow/source_text.h"

namespace xfer::analyzer {

Location SourceText::location(const Spot& spot, const std::string& function) const {
  Location location;
  location.function = function;
  if (!spot.file) return location;
  location.file = unit_[spot.file].name;
  location.line = spot.line;
  location.column = spot.column;
  return location;
}

std::string SourceText::raw(const Spot& spot) const {
  return spot.file ? unit_[spot.file].text.substr(spot.begin, spot.end - spot.begin)
                   : std::string();
}

std::string SourceText::text(const Spot& spot) const {
  std::string text;
  bool space = false;
  for (const char c : raw(spot)) {
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      space = !text.empty();
      continue;
    }
    if (space) text += ' ';
    space = false;
    text += c;
  }
  constexpr std::size_t kMost = 60;
  if (text.size() > kMost) text.replace(kMost - 3, std::string::npos, "...");
  return text;
}

std::optional<Replacement> SourceText::replace(const Spot& spot, std::string with) const {
  if (!spot.file || spot.macro || spot.end == 0 || unit_[spot.file].path.empty())
    return std::nullopt;
  return Replacement{unit_[spot.file].path, spot.begin, spot.end - spot.begin, std::move(with)};
}

std::optional<Replacement> SourceText::insert_before(const Spot& spot, std::string text) const {
  if (!spot.file || spot.starts_in_macro || unit_[spot.file].path.empty()) return std::nullopt;
  return Replacement{unit_[spot.file].path, spot.at, 0, std::move(text)};
}

std::string SourceText::indentation(const Spot& spot) const {
  if (!spot.file) return {};
  const std::string_view text = unit_[spot.file].text;
  const std::size_t end = text.rfind('\n', spot.at == 0 ? 0 : spot.at - 1);
  const std::size_t start = end == std::string_view::npos ? 0 : end + 1;
  return std::string(text.substr(start, text.find_first_not_of(" \t", start) - start));
}

bool SourceText::before(const Spot& a, const Spot& b) const {
  return a.file && a.file == b.file && a.at < b.at;
}

}  // namespace xfer::analyzer
