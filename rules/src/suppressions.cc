#include "xfer/rules/suppressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "xfer/rules/nearest.h"

namespace xfer {
namespace {

// `*` in the pattern stands for anything. Linear but for the retries at the last star.
bool glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, retry_text = 0;
  std::size_t star = std::string_view::npos;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry_text = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry_text;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::string bound(std::string_view pattern) {
  std::string result;
  if (pattern.starts_with('^'))
    pattern.remove_prefix(1);
  else
    result = "*";
  if (pattern.ends_with('$')) return result.append(pattern.substr(0, pattern.size() - 1));
  return result.append(pattern).append("*");
}

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace

Suppressions Suppressions::read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::error_code ignored;
  if (!in || std::filesystem::is_directory(file, ignored))
    throw std::runtime_error(fmt::format("{}: the suppressions cannot be read: {}", file.string(),
                                         std::strerror(in ? EISDIR : errno)));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return parse(text, file.string());
}

Suppressions Suppressions::parse(std::string_view text, const std::string& name) {
  Suppressions result;
  for (unsigned number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t colon = line.find(':');
    const std::string_view slug = trimmed(line.substr(0, colon));
    const auto fail = [&](const std::string& what) {
      throw std::runtime_error(fmt::format("{}:{}: {}", name, number, what));
    };
    if (colon == std::string_view::npos) fail("a suppression is rule:pattern, or *:pattern");
    const std::string_view pattern = trimmed(line.substr(colon + 1));
    const std::optional<Rule> rule = find_rule(slug);
    if (!rule && slug != "*")
      fail(fmt::format("there is no rule '{}'{} (* is every rule)", slug,
                       did_you_mean(slug, kSlugs)));
    if (pattern.find_first_not_of("^*$") == std::string_view::npos)
      fail(fmt::format("the pattern '{}' would match everything", pattern));
    result.rows_.push_back({rule, bound(pattern)});
  }
  return result;
}

void Suppressions::add(const Suppressions& more) {
  rows_.insert(rows_.end(), more.rows_.begin(), more.rows_.end());
}

bool Suppressions::match(Rule rule, const std::vector<std::string_view>& names) const {
  return std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) {
    if (row.rule && *row.rule != rule) return false;
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
      return !name.empty() && glob(row.pattern, name);
    });
  });
}

}  // namespace xfer
