#include "foreign/run.h"

namespace xfer::foreign {

std::uint32_t Texts::number(std::string_view text) {
  if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
  const auto [entry, is_new] = numbers_.emplace(text, static_cast<std::uint32_t>(texts_.size()));
  texts_.push_back(&entry->first);
  return entry->second;
}

}  // namespace xfer::foreign
