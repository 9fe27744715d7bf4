#pragma once
// "Did you mean": the name that somebody may have meant by one that does not exist. In the header,
// since what is preloaded into other people's programs links no library of ours for it.

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xfer {
namespace detail {

/// Insertions, deletions, replacements and swaps of neighbours that make `b` of `a`.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_above(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(two_above, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row.back();
}

/// Three letters at least, else it is chance.
inline bool is_part_of(std::string_view wanted, std::string_view name) {
  return wanted.size() >= 3 && name.find(wanted) != std::string_view::npos;
}

}  // namespace detail

/// The name that contains `wanted`, else the one that the fewest edits make of it. Empty when there
/// are no names.
inline std::string_view nearest(std::string_view wanted, std::span<const std::string_view> names) {
  if (names.empty()) return {};
  return *std::ranges::min_element(names, {}, [&](std::string_view name) {
    return std::pair(!detail::is_part_of(wanted, name), detail::edit_distance(wanted, name));
  });
}

/// "; did you mean 'round-trip'?", or nothing where no name is near `wanted`.
inline std::string did_you_mean(std::string_view wanted, std::span<const std::string_view> names) {
  const std::string_view name = nearest(wanted, names);
  const std::size_t longer = std::max(wanted.size(), name.size());
  const bool near =
      detail::is_part_of(wanted, name) || detail::edit_distance(wanted, name) * 2 <= longer;
  return near && !name.empty() ? "; did you mean '" + std::string(name) + "'?" : std::string();
}

}  // namespace xfer
