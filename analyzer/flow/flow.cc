#include "analyzer/flow/flow.h"

#include <algorithm>
#include <map>
#include <set>

#include "analyzer/flow/join.h"

namespace xfer::analyzer {
namespace {

constexpr unsigned kMaxVisits = 32;
constexpr unsigned kWidenedFrom = 8;

/// Objects that shared data on an earlier visit still may: otherwise the object that gives an alias
/// class its number could change from visit to visit for ever.
void keep_aliases(const State& before, State& state) {
  for (const auto& [id, object] : before.objects)
    if (const Object* now = state.objects.find(id)) state.merge_aliases(now->alias, object.alias);
}

/// Joins made here in an earlier iteration are older values now.
void retire_joins_of(BlockId block, State& state, OriginTable& origins, SymbolTable& symbols) {
  std::set<VersionId> joins;  // of an object: its first
  std::set<SymbolId> devices;
  const auto note = [&](VersionId id) {
    const OriginTable::Entry& entry = origins[id];
    if ((entry.origin == Origin::kJoin || entry.origin == Origin::kJoinedWrite) &&
        entry.a == block.number())
      joins.insert(id);
  };
  const auto note_device = [&](Device device) {
    if (device.is_symbol() && symbols[device.symbol].origin == Origin::kJoin &&
        symbols[device.symbol].block == block)
      devices.insert(device.symbol);
  };
  for (const auto& [id, object] : state.objects) {
    note(first_version(id));
    note(object.version);
    note_device(object.device);
  }
  for (const auto& [id, value] : state.variables) note_device(value.device);
  for (const auto& [key, value] : state.fields) note_device(value.device);
  for (const Copy& copy : state.copies) {
    note(copy.source_version);
    note(copy.result_version);
    note_device(copy.device);
  }
  // Devices first: an older object may be there already, and is where this one is.
  for (const SymbolId symbol : devices) state.retire_symbol(symbol, symbols.older(symbol));
  for (const VersionId id : joins)
    state.retire(id, origins.intern_version(Origin::kOlder, id, 0, 0, block));
}

}  // namespace

Flow::Flow(const FunctionFacts& facts, Interpreter& interpreter, OriginTable& origins,
           SymbolTable& symbols)
    : facts_(facts),
      interpreter_(interpreter),
      origins_(origins),
      symbols_(symbols),
      numbers_(facts) {
  in_.resize(facts.blocks.size());
  out_.resize(facts.blocks.size());
}

State Flow::entry_of(BlockId block) {
  if (block == facts_.entry) return interpreter_.entry_state();
  std::vector<State> arriving;
  for (const BlockId before : facts_.blocks[block].predecessors) {
    if (!out_[before].reachable) continue;
    // A block that an exception leaves hands nothing back.
    if (block == facts_.exit && facts_.blocks[before].leaves) continue;
    arriving.push_back(out_[before]);
    retire_joins_of(block, arriving.back(), origins_, symbols_);
  }
  symbols_.restart_joins(block);
  Joiner joiner(origins_, symbols_, block, facts_.loop_head[block]);
  State state;
  for (State& from : arriving) joiner.join(state, std::move(from));
  return state;
}

void Flow::execute(BlockId block, State& state) {
  FactId id = numbers_.first_of(block);
  for (const Fact& fact : facts_.blocks[block].facts) {
    interpreter_.run(fact, id, block, state);
    ++id;
  }
}

bool Flow::run() {
  Table<BlockId, unsigned> position(facts_.blocks.size(), 0);
  for (unsigned index = 0; index < facts_.order.size(); ++index)
    position[facts_.order[index]] = index;
  Table<BlockId, unsigned> visits(facts_.blocks.size(), 0);
  std::set<unsigned> pending = {position[facts_.entry]};
  while (!pending.empty()) {
    const BlockId block = facts_.order[*pending.begin()];
    pending.erase(pending.begin());
    if (++visits[block] > kMaxVisits) return false;
    State state = entry_of(block);
    if (visits[block] > kWidenedFrom) keep_aliases(in_[block], state);
    if (visits[block] > 1 && state == in_[block]) continue;
    in_[block] = state;
    execute(block, state);
    if (block != facts_.exit) state.drop_unreachable();
    if (visits[block] > 1 && state == out_[block]) continue;
    out_[block] = std::move(state);
    for (const BlockId next : facts_.blocks[block].successors) pending.insert(position[next]);
  }
  return true;
}

void Flow::replay(Observer& observer) {
  interpreter_.observe(&observer);
  for (const BlockId block : facts_.order) {
    if (!in_[block].reachable) continue;
    State state = in_[block];
    execute(block, state);
  }
  interpreter_.observe(nullptr);
}

/// Replays the first iteration of each loop, with values from before the loop that later ones have
/// replaced, or the later iterations, with values that an iteration left. Only blocks that run in
/// every iteration, up to the first loop in the loop, are certain to see them.
void Flow::replay_iterations(Iteration which, Graph& graph, Observer& observer) {
  for (const Loop& loop : graph.loops()) {
    std::map<BlockId, State> ends;
    State start;
    Joiner joiner(origins_, symbols_, loop.head, true);
    for (const BlockId before : facts_.blocks[loop.head].predecessors) {
      const bool again = loop.blocks[before];
      if (again != (which == Iteration::kLater) || !out_[before].reachable) continue;
      State from = out_[before];
      retire_joins_of(loop.head, from, origins_, symbols_);
      joiner.join(start, std::move(from));
    }
    for (const BlockId block : facts_.order) {
      if (!loop.blocks[block] || !in_[block].reachable) continue;
      State state;
      if (block == loop.head) {
        state = start;
      } else {
        Joiner inner(origins_, symbols_, block, false);
        const auto& before = facts_.blocks[block].predecessors;
        const bool known = !facts_.loop_head[block] &&
                           std::all_of(before.begin(), before.end(), [&](BlockId from) {
                             return ends.count(from) != 0 || !in_[from].reachable;
                           });
        if (!known) continue;
        for (const BlockId from : before)
          if (ends.count(from) != 0) inner.join(state, ends[from]);
      }
      if (!state.reachable) continue;
      interpreter_.observe(graph.runs_every_iteration(loop, block) ? &observer : nullptr);
      execute(block, state);
      state.drop_unreachable();
      ends[block] = std::move(state);
    }
  }
  interpreter_.observe(nullptr);
}

State Flow::exit_state() const { return in_[facts_.exit]; }

std::vector<const State*> Flow::ends() const {
  std::vector<const State*> ends;
  for (const BlockId before : facts_.blocks[facts_.exit].predecessors)
    if (out_[before].reachable && !facts_.blocks[before].leaves) ends.push_back(&out_[before]);
  return ends;
}

}  // namespace xfer::analyzer
