#include "kernels/cost.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "kernels/control_flow.h"
#include "kernels/translate/form.h"

namespace xfer::kernels {
namespace {

constexpr std::array<std::string_view, 5> kAccesses = {"ld", "ldu", "st", "atom", "red"};

/// How many loops each instruction is in.
std::vector<unsigned> depths_of(const ptx::Body& body) {
  std::vector<unsigned> depths(body.instructions.size());
  each_loop(body, [&](std::size_t first, std::size_t last) {
    for (std::size_t inside = first; inside <= last; ++inside) ++depths[inside];
  });
  return depths;
}

/// Generic addresses are taken to be of a device's memory.
std::uint64_t accessed_bytes(const ptx::Instruction& instruction) {
  if (instruction.operation == "cp") {
    const bool sized = instruction.has("async") && instruction.operands.size() > 2 &&
                       instruction.operands[2].is(ptx::Operand::Kind::kInteger);
    return sized ? instruction.operands[2].bits : 0;
  }
  if (std::ranges::find(kAccesses, instruction.operation) == kAccesses.end()) return 0;
  const Form form(instruction);
  const std::string_view space = form.space();
  if ((space != "global" && !space.empty()) || form.type_count() == 0) return 0;
  return std::uint64_t{form.type().size()} * form.vector();
}

}  // namespace

Cost cost_of(const ptx::Body& body) {
  constexpr unsigned kDeepest = 4;
  const std::vector<unsigned> depths = depths_of(body);
  Cost cost;
  cost.length = body.instructions.size();
  for (std::size_t at = 0; at < body.instructions.size(); ++at) {
    const std::uint64_t times = std::uint64_t{1} << (3 * std::min(depths[at], kDeepest));
    cost.instructions += times;
    cost.bytes += times * accessed_bytes(body.instructions[at]);
  }
  return cost;
}

}  // namespace xfer::kernels
