#include "ptx/instructions.h"

#include <algorithm>
#include <array>

namespace xfer::ptx {
namespace {

constexpr auto kRows = std::to_array<InstructionRow>({
#define PTX_INSTRUCTION(name, effect, fewest, most, modifiers) \
  {#name, Effect::effect, fewest, most, modifiers},
#include "ptx/instructions.def"
#undef PTX_INSTRUCTION
});

static_assert(std::ranges::is_sorted(kRows, {}, &InstructionRow::name));

constexpr std::string_view kRound = "rn rz rm rp";
constexpr std::string_view kOrder =
    "weak volatile relaxed acquire release acq_rel mmio cta cluster gpu sys";
constexpr std::string_view kSpace =
    "const global local param shared shared::cta shared::cluster param::entry param::func";
constexpr std::string_view kCompare =
    "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan";

/// The list has the word.
bool has(std::string_view list, std::string_view word) {
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(' ', at), list.size());
    if (list.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

bool is_of_cache(std::string_view modifier) {
  return modifier.starts_with("L1::") || modifier.starts_with("L2::") ||
         modifier.starts_with("level::");
}

bool takes(const InstructionRow& row, std::string_view modifier) {
  if (row.modifiers == "*" || type_named(modifier)) return true;
  return has(row.modifiers, modifier) || (has(row.modifiers, "ROUND") && has(kRound, modifier)) ||
         (has(row.modifiers, "ORDER") && has(kOrder, modifier)) ||
         (has(row.modifiers, "SPACE") && has(kSpace, modifier)) ||
         (has(row.modifiers, "CACHE") && is_of_cache(modifier)) ||
         (has(row.modifiers, "COMPARE") && has(kCompare, modifier));
}

}  // namespace

const InstructionRow* row_of(std::string_view operation) {
  const auto found = std::ranges::lower_bound(kRows, operation, {}, &InstructionRow::name);
  return found == kRows.end() || found->name != operation ? nullptr : &*found;
}

std::optional<std::string> wrong_with(const Instruction& instruction) {
  const std::string name = "`" + std::string(instruction.operation) + "`";
  const InstructionRow* row = row_of(instruction.operation);
  if (row == nullptr) return "PTX has no instruction " + name;
  for (const std::string_view modifier : instruction.modifiers)
    if (!takes(*row, modifier)) return name + " has no modifier ." + std::string(modifier);
  const std::size_t count = instruction.operands.size();
  if (count < row->fewest || count > row->most)
    return name + " does not take " + std::to_string(count) + " operands";
  return std::nullopt;
}

}  // namespace xfer::ptx
