#include "analyzer/checks/timed.h"

namespace xfer::analyzer {
namespace {

/// What takes time on a device, or reads a clock: what a person would time, and how.
bool is_step(const Call& call) {
  return asks_the_time(call) || call.form == CallForm::kKernel ||
         (call.model != nullptr && call.model->kind == CallKind::kCopy);
}

/// The closest of these steps ahead of a copy, or behind it, other copies aside; null: none.
const Call* beside(const CheckContext& context, const Call& copy, bool behind) {
  const Spot spot = context.spot(copy.callee_spot);
  const Call* closest = nullptr;
  const auto at = [&](const Call& call) { return context.spot(call.callee_spot).at; };
  for (const Call& call : context.facts.calls) {
    const bool step = call.form == CallForm::kKernel || asks_the_time(call);
    if (!step || context.spot(call.callee_spot).file != spot.file) continue;
    if (behind ? at(call) > spot.at && (closest == nullptr || at(call) < at(*closest))
               : at(call) < spot.at && (closest == nullptr || at(call) > at(*closest)))
      closest = &call;
  }
  return closest;
}

}  // namespace

bool timed_apart(const CheckContext& context, const Call& first, const Call& second) {
  const Call* ahead = beside(context, first, false);
  const Call* behind = beside(context, first, true);
  const Call* again = beside(context, second, false);
  return ahead != nullptr && asks_the_time(*ahead) && behind != nullptr &&
         behind->form == CallForm::kKernel && again != nullptr && asks_the_time(*again);
}

bool timed_together(const CheckContext& context, const Call& first, const Call& second) {
  const Spot begin = context.spot(first.callee_spot);
  const Spot end = context.spot(second.callee_spot);
  const Call* before = nullptr;
  const Call* after = nullptr;
  const auto at = [&](const Call& call) { return context.spot(call.callee_spot).at; };
  for (const Call& call : context.facts.calls) {
    if (!is_step(call) || context.spot(call.callee_spot).file != begin.file) continue;
    const auto here = at(call);
    if (here > begin.at && here < end.at && asks_the_time(call)) return true;
    if (here < begin.at && (before == nullptr || at(*before) < here)) before = &call;
    if (here > end.at && (after == nullptr || here < at(*after))) after = &call;
  }
  return before != nullptr && after != nullptr && asks_the_time(*before) && asks_the_time(*after);
}

}  // namespace xfer::analyzer
