#include "analyzer/checks/timed.h"

namespace xfer::analyzer {
namespace {

/// It reads a clock. The time between two events was taken when they were recorded.
bool marks_time(const Call& call) {
  return asks_the_time(call) && !call.name.ends_with("EventElapsedTime");
}

bool is_launch_or_clock(const Call& call) {
  return call.form == CallForm::kKernel || marks_time(call);
}

/// The call takes time on a device, which a person would time, or reads a clock.
bool is_step(const Call& call) {
  const CallKind kind = call.model == nullptr ? CallKind::kOpen : call.model->kind;
  return is_launch_or_clock(call) || kind == CallKind::kCopy || kind == CallKind::kAllocate ||
         kind == CallKind::kFree;
}

/// The closest such call ahead of this one, or behind it; null: there is none.
const Call* closest(const CheckContext& context, const Call& to, bool behind,
                    bool (*is)(const Call&)) {
  const Spot spot = context.spot(to.callee_spot);
  const Call* found = nullptr;
  const auto at = [&](const Call& call) { return context.spot(call.callee_spot).at; };
  for (const Call& call : context.facts.calls) {
    if (!is(call) || context.spot(call.callee_spot).file != spot.file) continue;
    if (behind ? at(call) > spot.at && (found == nullptr || at(call) < at(*found))
               : at(call) < spot.at && (found == nullptr || at(call) > at(*found)))
      found = &call;
  }
  return found;
}

/// A call that reads a clock says for which end of what it times: `timer.stop()`,
/// `cudaEventRecord(begin)`.
bool names(const CheckContext& context, const Call& clock,
           std::initializer_list<llvm::StringRef> words) {
  std::string said = clock.name;
  if (!clock.arguments.empty())
    said += " " + context.source.text(context.spot(clock.arguments.front().spot));
  const std::string lower = llvm::StringRef(said).lower();
  return llvm::any_of(words,
                      [&](llvm::StringRef word) { return llvm::StringRef(lower).contains(word); });
}

/// The call may begin the timing of the code after it.
bool begins_time(const CheckContext& context, const Call* call) {
  return call != nullptr && marks_time(*call) &&
         !names(context, *call, {"stop", "_end", "end_", "finish", "elapsed"});
}

/// The call may end the timing of the code before it.
bool ends_time(const CheckContext& context, const Call* call) {
  return call != nullptr && marks_time(*call) && !names(context, *call, {"start", "begin"});
}

}  // namespace

bool timed_apart(const CheckContext& context, const Call& first, const Call& second) {
  const Call* before = closest(context, second, false, is_launch_or_clock);
  const auto at = [&](const Call& call) { return context.spot(call.callee_spot).at; };
  // Without a clock between them the copies are timed together, if at all.
  if (!begins_time(context, before) || at(*before) <= at(first)) return false;
  // A clock before the copy and one behind it: the copy alone is timed.
  if (ends_time(context, closest(context, second, true, is_launch_or_clock))) return true;
  const Call* behind = closest(context, first, true, is_launch_or_clock);
  return begins_time(context, closest(context, first, false, is_launch_or_clock)) &&
         behind != nullptr && behind->form == CallForm::kKernel;
}

bool timed_in_loop(const CheckContext& context, const Call& copy, const Loop& loop) {
  const Call* clock = closest(context, copy, false, is_launch_or_clock);
  const std::optional<Point> at =
      begins_time(context, clock) ? context.point_of(*clock) : std::nullopt;
  return at && loop.blocks[at->block];
}

bool timed_around(const CheckContext& context, const Loop& loop) {
  const Call* first = nullptr;
  const Call* last = nullptr;
  const auto at = [&](const Call& call) { return context.spot(call.callee_spot).at; };
  for (const BlockId block : context.facts.blocks.ids()) {
    if (!loop.blocks[block]) continue;
    for (const Fact& fact : context.facts.blocks[block].facts) {
      const Call* call = call_of(context.facts, fact);
      if (call == nullptr || !is_step(*call)) continue;
      if (first == nullptr || at(*call) < at(*first)) first = call;
      if (last == nullptr || at(*call) > at(*last)) last = call;
    }
  }
  return first != nullptr && begins_time(context, closest(context, *first, false, is_step)) &&
         ends_time(context, closest(context, *last, true, is_step));
}

bool timed_together(const CheckContext& context, const Call& first, const Call& second) {
  return stands_between(context, first, second, marks_time) ||
         (begins_time(context, closest(context, first, false, is_step)) &&
          ends_time(context, closest(context, second, true, is_step)));
}

}  // namespace xfer::analyzer
