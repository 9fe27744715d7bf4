#include "analyzer/flow/graph.h"

#include <algorithm>
#include <set>

namespace xfer::analyzer {
namespace {

bool intersect(BlockFlags& into, const BlockFlags& with) {
  bool changed = false;
  for (const BlockId block : into.ids())
    if (into[block] && !with[block]) {
      into[block] = false;
      changed = true;
    }
  return changed;
}

}  // namespace

void Graph::find_dominators() {
  if (!dominators_.empty()) return;
  const std::size_t count = facts_.blocks.size();
  dominators_.assign(count, BlockFlags(count, true));
  dominators_[facts_.entry].assign(count, false);
  dominators_[facts_.entry][facts_.entry] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (const BlockId block : facts_.order) {
      if (block == facts_.entry) continue;
      BlockFlags next(count, true);
      for (const BlockId before : facts_.blocks[block].predecessors)
        intersect(next, dominators_[before]);
      next[block] = true;
      if (next != dominators_[block]) {
        dominators_[block] = std::move(next);
        changed = true;
      }
    }
  }
}

bool Graph::dominates(BlockId above, BlockId below) {
  find_dominators();
  return dominators_[below][above];
}

bool Graph::always_runs(BlockId block) { return on_every_path(facts_.entry, {block}, {}, false); }

bool Graph::runs_if_loops_do(BlockId block) {
  return on_every_path(facts_.entry, {block}, loops_around(block), false);
}

bool Graph::one_runs_if_loops_do(const std::vector<BlockId>& blocks) {
  std::vector<const Loop*> around;
  for (const BlockId block : blocks)
    for (const Loop* loop : loops_around(block)) around.push_back(loop);
  return on_every_path(facts_.entry, blocks, around, false);
}

bool Graph::runs_where_given(BlockId block, const std::set<VariableId>& given) {
  if (runs_if_loops_do(block)) return true;
  const Guards asked = guards(block);
  return !asked.others && std::ranges::includes(given, asked.present);
}

bool Graph::follows(BlockId block, BlockId before) {
  return on_every_path(before, {block}, loops_around(block), true);
}

/// Paths that leave one of `entered` at its head, before its first iteration, do not count; those
/// that an exception ends, or takes to a handler, do if `leaving_counts`.
bool Graph::on_every_path(BlockId from, const std::vector<BlockId>& blocks,
                          const std::vector<const Loop*>& entered, bool leaving_counts) {
  const auto is_one = [&](BlockId block) {
    return std::ranges::find(blocks, block) != blocks.end();
  };
  if (is_one(from) || is_one(facts_.exit)) return true;
  BlockFlags seen(facts_.blocks.size(), false);
  std::vector<BlockId> pending = {from};
  seen[from] = true;
  while (!pending.empty()) {
    const BlockId at = pending.back();
    pending.pop_back();
    if (at == facts_.exit) return false;
    if (facts_.blocks[at].leaves) {
      if (leaving_counts) return false;
      continue;
    }
    const auto skips = [&](BlockId next) {
      return std::any_of(entered.begin(), entered.end(),
                         [&](const Loop* loop) { return loop->head == at && !loop->blocks[next]; });
    };
    const auto repeats = [&](BlockId next) {
      return std::any_of(entered.begin(), entered.end(),
                         [&](const Loop* loop) { return loop->head == next && loop->blocks[at]; });
    };
    for (const BlockId next : facts_.blocks[at].successors) {
      if (is_one(next) || skips(next)) continue;
      if (goes_wrong(at, next) && !leaving_counts) continue;
      if (repeats(next)) return false;  // an iteration that went without them
      if (!seen[next]) {
        seen[next] = true;
        pending.push_back(next);
      }
    }
  }
  return true;
}

void Graph::find_loops() {
  if (loops_) return;
  loops_.emplace();
  // A block that nothing reaches, the branch of an `if constexpr`, leads back to nothing.
  BlockFlags reached(facts_.blocks.size(), false);
  for (const BlockId block : facts_.order) reached[block] = true;
  for (const BlockId head : facts_.order) {
    Loop loop;
    loop.head = head;
    for (const BlockId latch : facts_.blocks[head].predecessors)
      if (reached[latch] && dominates(head, latch)) loop.latches.push_back(latch);
    if (loop.latches.empty()) continue;
    loop.blocks.assign(facts_.blocks.size(), false);
    loop.blocks[head] = true;
    std::vector<BlockId> pending = loop.latches;
    while (!pending.empty()) {
      const BlockId at = pending.back();
      pending.pop_back();
      if (loop.blocks[at] || !reached[at]) continue;
      loop.blocks[at] = true;
      for (const BlockId before : facts_.blocks[at].predecessors) pending.push_back(before);
    }
    loops_->push_back(std::move(loop));
  }
}

const std::vector<Loop>& Graph::loops() {
  find_loops();
  return *loops_;
}

std::vector<const Loop*> Graph::loops_around(BlockId block) {
  find_loops();
  std::vector<const Loop*> around;
  for (const Loop& loop : *loops_)
    if (loop.blocks[block]) around.push_back(&loop);
  const auto size = [](const Loop* loop) {
    return std::count(loop->blocks.begin(), loop->blocks.end(), true);
  };
  std::stable_sort(around.begin(), around.end(),
                   [&](const Loop* a, const Loop* b) { return size(a) < size(b); });
  return around;
}

bool Graph::runs_every_iteration(const Loop& loop, BlockId block) {
  return loop.blocks[block] && std::all_of(loop.latches.begin(), loop.latches.end(),
                                           [&](BlockId latch) { return dominates(block, latch); });
}

void Graph::find_control_dependences() {
  if (controlled_by_) return;
  const std::size_t count = facts_.blocks.size();
  controlled_by_.emplace(count);
  // Exceptions decide nothing, whether they end the call or a handler takes them, nor does a check
  // whether a call failed.
  Table<BlockId, std::vector<BlockId>> next(count);
  for (const BlockId block : facts_.blocks.ids())
    for (const BlockId successor : facts_.blocks[block].successors)
      if (!facts_.blocks[successor].leaves && !facts_.blocks[block].leaves &&
          !goes_wrong(block, successor))
        next[block].push_back(successor);
  Table<BlockId, BlockFlags> after(count, BlockFlags(count, true));
  after[facts_.exit].assign(count, false);
  after[facts_.exit][facts_.exit] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto block = facts_.order.rbegin(); block != facts_.order.rend(); ++block) {
      if (*block == facts_.exit || next[*block].empty()) continue;
      BlockFlags bits(count, true);
      for (const BlockId successor : next[*block]) intersect(bits, after[successor]);
      bits[*block] = true;
      if (bits != after[*block]) {
        after[*block] = std::move(bits);
        changed = true;
      }
    }
  }
  for (const BlockId branch : facts_.order) {
    if (next[branch].size() < 2) continue;
    for (const BlockId successor : next[branch])
      for (const BlockId block : facts_.blocks.ids())
        if (after[successor][block] && (block == branch || !after[branch][block]))
          (*controlled_by_)[block].push_back(branch);
  }
}

bool Graph::goes_wrong(BlockId from, BlockId to) const {
  return facts_.blocks[to].catches || facts_.blocks[from].failed == to;
}

void Graph::find_without_exceptions() {
  if (!without_exceptions_.empty()) return;
  without_exceptions_.assign(facts_.blocks.size(), false);
  std::vector<BlockId> pending = {facts_.entry};
  while (!pending.empty()) {
    const BlockId at = pending.back();
    pending.pop_back();
    if (without_exceptions_[at]) continue;
    without_exceptions_[at] = true;
    for (const BlockId next : facts_.blocks[at].successors)
      if (!goes_wrong(at, next)) pending.push_back(next);
  }
}

Guards Graph::guards(BlockId block) {
  find_control_dependences();
  find_without_exceptions();
  Guards guards;
  guards.others = !without_exceptions_[block];
  std::set<BlockId> seen;
  std::vector<BlockId> pending = {block};
  while (!pending.empty()) {
    const BlockId at = pending.back();
    pending.pop_back();
    for (const BlockId branch : (*controlled_by_)[at]) {
      if (!seen.insert(branch).second) continue;
      guards.device_query |= facts_.blocks[branch].device_query;
      guards.device_choice |= facts_.blocks[branch].device_choice;
      const bool loop = facts_.loop_head.has(branch) && facts_.loop_head[branch];
      if (facts_.blocks[branch].present)
        guards.present.insert(facts_.blocks[branch].present);
      else
        guards.others |= !loop && !facts_.blocks[branch].data_choice;
      pending.push_back(branch);
    }
  }
  return guards;
}

}  // namespace xfer::analyzer
