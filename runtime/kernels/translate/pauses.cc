#include "kernels/translate/pauses.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "kernels/control_flow.h"

namespace xfer::kernels {
namespace {

using ptx::Instruction;

bool is_barrier(const Instruction& instruction) {
  return (instruction.operation == "bar" || instruction.operation == "barrier") &&
         !instruction.has("warp") && !instruction.has("arrive");
}

bool reads_shared(const Instruction& instruction) {
  const std::string_view name = instruction.operation;
  return name == "ldmatrix" || ((name == "ld" || name == "wmma") && instruction.has("shared") &&
                                !instruction.has("store"));
}

bool writes_shared(const Instruction& instruction) {
  const std::string_view name = instruction.operation;
  return (name == "cp" && instruction.has("async")) ||
         ((name == "st" || (name == "wmma" && instruction.has("store"))) &&
          instruction.has("shared"));
}

/// The instructions that are come to from this one, it among them, before a barrier.
std::vector<std::size_t> before_barrier(const ptx::Body& body, std::size_t from) {
  std::vector<bool> seen(body.instructions.size());
  std::vector<std::size_t> found, left{from};
  while (!left.empty()) {
    const std::size_t at = left.back();
    left.pop_back();
    if (at >= seen.size() || seen[at] || is_barrier(body.instructions[at])) continue;
    seen[at] = true;
    found.push_back(at);
    each_next(body, at, [&](std::size_t next) { left.push_back(next); });
  }
  return found;
}

}  // namespace

std::set<std::size_t> pauses_of(const ptx::Body& body) {
  const std::vector<Instruction>& all = body.instructions;
  if (std::ranges::none_of(all, is_barrier)) return {};
  const auto any = [&](const std::vector<std::size_t>& some, bool (*is)(const Instruction&)) {
    return std::ranges::any_of(some, [&](std::size_t at) { return is(all[at]); });
  };
  std::set<std::size_t> loops;  // whose beginning is behind another instruction than a barrier
  for (std::size_t i = 0; i < all.size(); ++i)
    if (const auto first = target_of(body, all[i]);
        first && *first <= i && *first > 0 && !is_barrier(all[*first - 1]) &&
        any(before_barrier(body, *first), writes_shared))
      loops.insert(*first);
  std::set<std::size_t> pauses;
  for (std::size_t i = 0; i < all.size() && !loops.empty(); ++i) {
    if (!is_barrier(all[i])) continue;
    const std::vector<std::size_t> behind = before_barrier(body, i + 1);
    if (!any(behind, reads_shared)) continue;
    for (const std::size_t at : behind)
      if (loops.contains(at + 1)) pauses.insert(at + 1);  // not by the loop's own way back
  }
  return pauses;
}

}  // namespace xfer::kernels
