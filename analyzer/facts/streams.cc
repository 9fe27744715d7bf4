#include "analyzer/facts/streams.h"

#include <llvm/ADT/DenseMap.h>

#include <algorithm>
#include <set>

#include "analyzer/facts/call_order.h"

namespace xfer::analyzer {

using Kind = StreamAct::Kind;

void Streams::add(const clang::Expr& expr, CallId call) { calls_.emplace_back(&expr, call); }

/// A variable that keeps what it starts with is another name of that.
StreamName Streams::resolved(StreamName name) {
  for (unsigned steps = 0; steps < 4; ++steps) {
    const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(name.handle);
    if (variable == nullptr || variable->getInit() == nullptr || name.index ||
        !tools_.handles.is_constant(*variable))
      break;
    name = stream_name(variable->getInit(), tools_.context);
  }
  return name;
}

void Streams::read_acts() {
  for (const auto& [expr, call] : calls_) {
    for (const StreamAct& act : tools_.acts.of(*expr)) {
      acts_.push_back({act, call});
      acts_.back().stream = resolved(act.stream);
      acts_.back().event = resolved(act.event);
    }
  }
}

/// The two are never one stream, and what is on one does not wait for the other by itself.
bool Streams::differ(const StreamName& a, const StreamName& b) {
  if (b.is_default && !a.is_default) return differ(b, a);
  if (a.is_default) return !b.is_default && is_own(b) && tools_.handles.is_non_blocking(b.handle);
  return is_own(a) && is_own(b) && !may_be_one(a, b);
}

void Streams::add_recorded(const StreamName& event, CallId before, const CallOrder& order,
                           std::vector<Done>& done) const {
  const std::size_t known = done.size();
  bool all = !event.known();
  for (const Act& act : acts_) {
    if (act.kind != Kind::kRecord) continue;
    all |= !act.event.known();
    if (may_be_one(act.event, event) && order.reaches(act.call, before))
      done.push_back({act.stream, act.call});
  }
  if (all || done.size() == known) done.push_back({{}, before});
}

std::vector<Streams::Done> Streams::done_by(const Act& wait, const CallOrder& order) {
  std::vector<Done> done;
  if (wait.event.known())
    add_recorded(wait.event, wait.call, order, done);
  else
    done.push_back({wait.stream, wait.call});
  std::set<const Act*> followed;
  for (std::size_t at = 0; at < done.size(); ++at) {
    const Done here = done[at];
    for (const Act& act : acts_) {
      const bool awaits = act.kind == Kind::kAwait && !differ(act.stream, here.stream);
      if ((!awaits && act.kind != Kind::kUnknown) || !order.reaches(act.call, here.before) ||
          !followed.insert(&act).second)
        continue;
      if (awaits)
        add_recorded(act.event, act.call, order, done);
      else
        done.push_back({{}, act.call});
    }
  }
  return done;
}

std::map<CallId, std::vector<CallId>> Streams::not_waited_for(const FunctionFacts& facts) {
  std::map<CallId, std::vector<CallId>> found;
  if (calls_.empty() || !tools_.handles.any_own()) return found;
  read_acts();
  const auto is = [](Kind kind) { return [kind](const Act& act) { return act.kind == kind; }; };
  if (std::ranges::none_of(acts_, is(Kind::kWait)) || std::ranges::none_of(acts_, is(Kind::kWork)))
    return found;
  const CallOrder order(facts);
  // A call waits for all that any of its acts waits for, and its work goes on if all of it does.
  std::map<CallId, std::vector<Done>> waits;
  std::set<CallId> waits_for_all;
  for (const Act& act : acts_) {
    if (act.kind == Kind::kUnknown || act.kind == Kind::kWaitForAll) waits_for_all.insert(act.call);
    if (act.kind != Kind::kWait) continue;
    const std::vector<Done> done = done_by(act, order);
    waits[act.call].insert(waits[act.call].end(), done.begin(), done.end());
  }
  for (const auto& [wait, done] : waits) {
    if (waits_for_all.contains(wait)) continue;
    std::map<CallId, bool> goes_on;
    for (const Act& act : acts_) {
      if (act.kind != Kind::kWork) continue;
      const bool beside = std::ranges::all_of(done, [&](const Done& one) {
        return differ(one.stream, act.stream) || !order.reaches(act.call, one.before);
      });
      const auto [entry, added] = goes_on.try_emplace(act.call, beside);
      entry->second &= beside;
    }
    for (const auto& [work, on] : goes_on)
      if (on) found[wait].push_back(work);
  }
  return found;
}

}  // namespace xfer::analyzer
