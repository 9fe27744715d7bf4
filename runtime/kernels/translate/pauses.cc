#include "kernels/translate/pauses.h"

#include <algorithm>
#include <string_view>
#include <vector>

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

class Ways {
 public:
  explicit Ways(const ptx::Body& body) : body_(body) {}

  /// The instructions that are come to from this one, it among them, before a barrier.
  std::vector<std::size_t> before_barrier(std::size_t from) const {
    std::vector<bool> seen(body_.instructions.size());
    std::vector<std::size_t> found, left{from};
    while (!left.empty()) {
      const std::size_t at = left.back();
      left.pop_back();
      if (at >= seen.size() || seen[at] || is_barrier(body_.instructions[at])) continue;
      seen[at] = true;
      found.push_back(at);
      for (const std::size_t next : behind(at)) left.push_back(next);
    }
    return found;
  }

  /// Of a branch by name.
  std::size_t target(const Instruction& branch) const {
    const auto label =
        branch.operands.empty() ? body_.labels.end() : body_.labels.find(branch.operands[0].name);
    return label == body_.labels.end() ? body_.instructions.size() : label->second;
  }

 private:
  std::vector<std::size_t> behind(std::size_t at) const {
    const Instruction& instruction = body_.instructions[at];
    std::vector<std::size_t> found;
    const bool always = !instruction.guard;
    if (instruction.operation == "bra") {
      found.push_back(target(instruction));
    } else if (instruction.operation == "brx" && instruction.operands.size() > 1) {
      if (const auto list = body_.targets.find(instruction.operands[1].name);
          list != body_.targets.end())
        for (const std::string_view name : list->second)
          if (const auto label = body_.labels.find(name); label != body_.labels.end())
            found.push_back(label->second);
    }
    if (!always || (!instruction.branches() && !instruction.returns())) found.push_back(at + 1);
    return found;
  }

  const ptx::Body& body_;
};

}  // namespace

std::set<std::size_t> pauses_of(const ptx::Body& body) {
  const std::vector<Instruction>& all = body.instructions;
  const Ways ways(body);
  const auto any = [&](const std::vector<std::size_t>& some, bool (*is)(const Instruction&)) {
    return std::ranges::any_of(some, [&](std::size_t at) { return is(all[at]); });
  };
  std::set<std::size_t> loops;  // whose beginning is behind another instruction than a barrier
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].operation == "bra")
      if (const std::size_t first = ways.target(all[i]);
          first <= i && first > 0 && !is_barrier(all[first - 1]) &&
          any(ways.before_barrier(first), writes_shared))
        loops.insert(first);
  std::set<std::size_t> pauses;
  for (std::size_t i = 0; i < all.size() && !loops.empty(); ++i) {
    if (!is_barrier(all[i])) continue;
    const std::vector<std::size_t> behind = ways.before_barrier(i + 1);
    if (!any(behind, reads_shared)) continue;
    for (const std::size_t at : behind)
      if (loops.contains(at + 1)) pauses.insert(at + 1);  // not by the loop's own way back
  }
  return pauses;
}

}  // namespace xfer::kernels
