#include "kernels/lane_order.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/control_flow.h"

namespace xfer::kernels {

using ptx::Instruction;

bool lanes_meet(const Instruction& instruction) {
  constexpr std::array<std::string_view, 9> kMeetings = {
      "bar", "barrier", "shfl", "vote", "match", "redux", "mma", "wmma", "mbarrier"};
  return std::ranges::find(kMeetings, instruction.operation) != kMeetings.end();
}

namespace {

bool is_store(const Instruction& instruction) {
  constexpr std::array<std::string_view, 3> kStores = {"st", "atom", "red"};
  return std::ranges::find(kStores, instruction.operation) != kStores.end();
}

bool stores_to_shared(const Instruction& instruction) {
  return instruction.has("shared") && is_store(instruction);
}

bool loads_from_shared(const Instruction& instruction) {
  return instruction.operation == "ld" && instruction.has("shared");
}

/// `[%rd1+8]`: a register, and a distance from it.
struct RegisterAddress {
  ptx::RegisterId base;
  std::int64_t offset;
  auto operator<=>(const RegisterAddress&) const = default;
};

/// That a volatile access of one element is at; nothing: it is another instruction.
std::optional<RegisterAddress> volatile_address(const Instruction& instruction,
                                                std::string_view operation) {
  const std::size_t operand = operation == "st" ? 0 : 1;
  if (instruction.operation != operation || !instruction.has("volatile") ||
      instruction.operands.size() <= operand)
    return std::nullopt;
  const ptx::Operand& address = instruction.operands[operand];
  const bool of_register = address.is(ptx::Operand::Kind::kAddress) && !address.parts.empty() &&
                           address.parts[0].is(ptx::Operand::Kind::kRegister);
  if (!of_register) return std::nullopt;
  return RegisterAddress{address.parts[0].reg, address.offset};
}

/// From an instruction that `stores` one that `loads` is come to where no lanes meet between.
template <typename Stores, typename Loads>
bool reach(const ptx::Body& body, Stores stores, Loads loads) {
  std::vector<std::size_t> behind;
  for (std::size_t at = 0; at < body.instructions.size(); ++at)
    if (stores(body.instructions[at]))
      each_next(body, at, [&](std::size_t next) { behind.push_back(next); });
  bool found = false;
  walk(body, std::move(behind), [&](std::size_t at) {
    found = found || loads(body.instructions[at]);
    return !found && !lanes_meet(body.instructions[at]);
  });
  return found;
}

/// A volatile load behind a volatile store to another place that the same register gives: what the
/// lane before or behind has stored there. Without `volatile`, or by other registers, it is most
/// often another array, or what another block has done before.
bool reads_beside_its_store(const ptx::Body& body) {
  std::set<RegisterAddress> stores;
  for (const Instruction& instruction : body.instructions)
    if (const auto place = volatile_address(instruction, "st")) stores.insert(*place);
  return std::ranges::any_of(stores, [&](const RegisterAddress& stored) {
    return reach(
        body,
        [&](const Instruction& instruction) {
          return volatile_address(instruction, "st") == stored;
        },
        [&](const Instruction& instruction) {
          const auto place = volatile_address(instruction, "ld");
          return place && place->base == stored.base && place->offset != stored.offset;
        });
  });
}

}  // namespace

bool counts_on_lane_order(const ptx::Body& body) {
  return reach(body, stores_to_shared, loads_from_shared) || reads_beside_its_store(body);
}

}  // namespace xfer::kernels
