#include "kernels/translate/pauses.h"

#include <algorithm>
#include <span>
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
  bool has_barrier;

  bool has(std::size_t at) const { return first <= at && at <= last; }
};

class Finder {
 public:
  explicit Finder(const ptx::Body& body) : body_(body), all_(body.instructions) {
    each_loop(body, [&](std::size_t first, std::size_t last) {
      const auto turn = std::span(all_).subspan(first, last - first);
      loops_.push_back({first, last, std::ranges::any_of(turn, is_barrier)});
    });
  }

  Pauses find() {
    if (std::ranges::none_of(all_, is_barrier)) return {};
    before_writing();
    for (std::size_t at = 0; at < all_.size(); ++at)
      if (writes_shared(all_[at])) before_reading(at);
    return std::move(pauses_);
  }

 private:
  /// The instructions that are come to from this one, it among them, up to the next barriers.
  std::vector<std::size_t> before_barrier(std::size_t from) const {
    std::vector<std::size_t> found;
    walk(body_, {from}, [&](std::size_t at) {
      found.push_back(at);
      return !is_barrier(all_[at]);
    });
    return found;
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
    std::vector<std::size_t> behind;
    each_next(body_, write, [&](std::size_t next) { behind.push_back(next); });
    walk(body_, std::move(behind), [&](std::size_t at) {
      if (lanes_meet(all_[at])) return false;
      if (!reads_shared(all_[at]) || turns_with(write, at)) return true;
      if (const Loop* const loop = outermost_without(write, at))
        pauses_.before_loops.insert(loop->first);
      else
        pauses_.before.insert(at);
      return false;
    });
  }
  /// In a loop without a barrier, in which a pause would cost too much.
  bool turns_with(std::size_t write, std::size_t read) const {
    return std::ranges::any_of(loops_, [&](const Loop& loop) {
      return !loop.has_barrier && loop.has(write) && loop.has(read);
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
