#pragma once
// Where a thread goes from an instruction to the next, by the text of a function.

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "ptx/module.h"

namespace xfer::kernels {

/// The instruction behind the label; nothing: there is no such label.
inline std::optional<std::size_t> behind_label(const ptx::Body& body, std::string_view label) {
  const auto found = body.labels.find(label);
  return found == body.labels.end() ? std::nullopt : std::optional(found->second);
}

/// To which a `bra` goes; nothing: it is another instruction, or names no label.
inline std::optional<std::size_t> target_of(const ptx::Body& body,
                                            const ptx::Instruction& instruction) {
  return instruction.operation == "bra" && !instruction.operands.empty()
             ? behind_label(body, instruction.operands[0].name)
             : std::nullopt;
}

/// Calls visit(first, last) for each loop: from a label to a branch back to it.
template <typename Visit>
void each_loop(const ptx::Body& body, Visit visit) {
  for (std::size_t at = 0; at < body.instructions.size(); ++at)
    if (const auto first = target_of(body, body.instructions[at]); first && *first <= at)
      visit(*first, at);
}

/// Calls visit(index) for each instruction that may be the next, and for the end of all.
template <typename Visit>
void each_next(const ptx::Body& body, std::size_t at, Visit visit) {
  const ptx::Instruction& instruction = body.instructions[at];
  const bool leaves = instruction.branches() || instruction.returns();
  if (!leaves || instruction.guard) visit(at + 1);
  if (const auto target = target_of(body, instruction)) visit(*target);
  if (instruction.operation != "brx" || instruction.operands.size() < 2) return;
  if (const auto targets = body.targets.find(instruction.operands[1].name);
      targets != body.targets.end())
    for (const std::string_view label : targets->second)
      if (const auto target = behind_label(body, label)) visit(*target);
}

/// Calls goes_on(index) once for each instruction that is come to from these, they among them, but
/// for those behind one for which it gives false.
template <typename GoesOn>
void walk(const ptx::Body& body, std::vector<std::size_t> from, GoesOn goes_on) {
  std::vector<bool> seen(body.instructions.size());
  while (!from.empty()) {
    const std::size_t at = from.back();
    from.pop_back();
    if (at >= seen.size() || seen[at]) continue;
    seen[at] = true;
    if (goes_on(at)) each_next(body, at, [&](std::size_t next) { from.push_back(next); });
  }
}

}  // namespace xfer::kernels
