#include "kernels/translate/pauses.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/control_flow.h"
#include "kernels/lane_order.h"

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

/// Instructions from a label to a branch back to it.
struct Loop {
  std::size_t first, last;

  bool has(std::size_t at) const { return first <= at && at <= last; }
};

class Finder {
 public:
  explicit Finder(const ptx::Body& body) : body_(body), all_(body.instructions) {
    for (std::size_t at = 0; at < all_.size(); ++at)
      if (const auto first = target_of(body, all_[at]); first && *first <= at)
        loops_.push_back({*first, at});
  }

  Pauses find() {
    if (std::ranges::none_of(all_, is_barrier)) return {};
    before_writing();
    for (std::size_t at = 0; at < all_.size(); ++at)
      if (writes_shared(all_[at])) before_reading(at);
    return std::move(pauses_);
  }

 private:
  /// The instructions that are come to from this one, it among them, but none behind one that
  /// `ends`.
  template <typename Ends>
  std::vector<std::size_t> come_to(std::size_t from, Ends ends) const {
    std::vector<bool> seen(all_.size());
    std::vector<std::size_t> found, left{from};
    while (!left.empty()) {
      const std::size_t at = left.back();
      left.pop_back();
      if (at >= seen.size() || seen[at]) continue;
      seen[at] = true;
      found.push_back(at);
      if (!ends(at)) each_next(body_, at, [&](std::size_t next) { left.push_back(next); });
    }
    return found;
  }
  std::vector<std::size_t> before_barrier(std::size_t from) const {
    return come_to(from, [&](std::size_t at) { return is_barrier(all_[at]); });
  }
  bool any(const std::vector<std::size_t>& some, bool (*is)(const Instruction&)) const {
    return std::ranges::any_of(some, [&](std::size_t at) { return is(all_[at]); });
  }

  /// Before loops that are come to from a barrier behind which shared memory is read, and behind
  /// whose beginning it is written before the next barrier.
  void before_writing() {
    std::set<std::size_t> writing;  // their beginning is behind another instruction than a barrier
    for (const Loop& loop : loops_)
      if (loop.first > 0 && !is_barrier(all_[loop.first - 1]) &&
          any(before_barrier(loop.first), writes_shared))
        writing.insert(loop.first);
    if (writing.empty()) return;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (!is_barrier(all_[i])) continue;
      const std::vector<std::size_t> behind = before_barrier(i + 1);
      if (!any(behind, reads_shared)) continue;
      for (const std::size_t at : behind)
        if (writing.contains(at + 1)) pauses_.before_loops.insert(at + 1);  // not by its way back
    }
  }

  /// Before what reads shared memory behind this write of it, where no lanes meet between.
  void before_reading(std::size_t write) {
    come_to(write, [&](std::size_t at) {
      if (at != write && lanes_meet(all_[at])) return true;
      if (!reads_shared(all_[at]) || turns_with(write, at)) return false;
      if (const Loop* const loop = outermost_without(write, at))
        pauses_.before_loops.insert(loop->first);
      else
        pauses_.before.insert(at);
      return true;
    });
  }
  /// In a loop without a barrier, in which a pause would cost too much.
  bool turns_with(std::size_t write, std::size_t read) const {
    return std::ranges::any_of(loops_, [&](const Loop& loop) {
      return loop.has(write) && loop.has(read) &&
             std::none_of(all_.begin() + static_cast<std::ptrdiff_t>(loop.first),
                          all_.begin() + static_cast<std::ptrdiff_t>(loop.last), is_barrier);
    });
  }
  /// The largest loop that the one is not in and the other is; null: there is none.
  const Loop* outermost_without(std::size_t outside, std::size_t inside) const {
    const Loop* found = nullptr;
    for (const Loop& loop : loops_)
      if (loop.has(inside) && !loop.has(outside) && (found == nullptr || loop.has(found->first)))
        found = &loop;
    return found;
  }

  const ptx::Body& body_;
  const std::vector<Instruction>& all_;
  std::vector<Loop> loops_;
  Pauses pauses_;
};

}  // namespace

Pauses pauses_of(const ptx::Body& body) { return Finder(body).find(); }

}  // namespace xfer::kernels
