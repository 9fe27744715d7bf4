// Finds: a value that crosses to another device with wider elements than it needs: widened first
// (uint8 to float32, then to the device) or narrowed afterwards (float64 to the device, then to
// float32), also with element-wise steps between the widening and the copy. Does not find: values
// that are also used in the wide form before the copy, tensors fresh from a factory, element types
// that are not known, one call that moves and converts (the library chooses the side). Cost: per
// transfer the chain of values that it was computed from.

#include <algorithm>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {
namespace {

void report(const CheckContext& context, const TransferEvent& event, Element wide, Element narrow,
            SpotId conversion, const char* what) {
  const std::string times = std::to_string(size_of(wide) / size_of(narrow));
  Finding finding = context.make(Rule::kConvertSide, event.call->callee_spot,
                                 {{"operand", context.name(event.call->receiver)},
                                  {"device", context.short_text(event.device)},
                                  {"wide", name_of(wide)},
                                  {"narrow", name_of(narrow)},
                                  {"times", times}});
  finding.notes.push_back(context.note(conversion, what));
  context.add_choice(finding, event.device);
  context.findings.push_back(std::move(finding));
}

/// The value comes from a factory (zeros, ones, randn), which could make it as it is wanted, where
/// it is wanted: create-on-host says that.
bool from_factory(const CheckContext& context, ObjectId id) {
  for (unsigned depth = 0; depth < 16; ++depth) {
    const auto made = context.events.computed_from.find(id);
    if (made == context.events.computed_from.end()) break;
    id = made->second.from;
  }
  const Call* maker = context.made_by(id);
  return maker != nullptr && maker->model != nullptr &&
         maker->model->result == Placement::kArguments &&
         maker->model->rank != RankEffect::kFromData && !maker->model->exposes;
}

/// Widened, and then copied.
bool widened_before(const CheckContext& context, const TransferEvent& event) {
  const Element wide = event.source_object.element;
  ObjectId id = event.source;
  FactId reader = event.fact;
  for (unsigned depth = 0; depth < 16; ++depth) {
    const auto made = context.events.computed_from.find(id);
    if (made == context.events.computed_from.end() || !read_only_by(context, id, reader))
      return false;
    const Element before = made->second.from_element;
    if (size_of(before) != 0 && size_of(before) < size_of(wide)) {
      const Call* conversion = context.call_of(made->second.fact);
      if (conversion == nullptr ||
          (!event.device.is_cpu() && from_factory(context, made->second.from)))
        return false;
      report(context, event, wide, before, conversion->callee_spot,
             "it is widened here; the device can do that after the copy");
      return true;
    }
    reader = made->second.fact;
    id = made->second.from;
  }
  return false;
}

/// Copied, and then narrowed.
void narrowed_after(const CheckContext& context, const TransferEvent& event) {
  const Element wide = event.source_object.element;
  for (const TransferEvent& next : context.events.transfer_events) {
    if (next.given || next.source != event.result || next.fact == event.fact) continue;
    const Element narrow = next.result_element;
    if (size_of(narrow) == 0 || size_of(narrow) >= size_of(wide)) continue;
    if (next.source_object.element != wide || !read_only_by(context, event.result, next.fact))
      continue;
    return report(context, event, wide, narrow, next.call->callee_spot,
                  "it is narrowed here; narrow it before the copy to copy fewer bytes");
  }
}

}  // namespace

void check_convert_side(const CheckContext& context) {
  for (const TransferEvent& event : context.events.transfer_events) {
    const Object& source = event.source_object;
    if (!event.given || !event.crosses || event.call->converts || size_of(source.element) == 0 ||
        source.rank == Rank::kZero)
      continue;
    const bool symbolic = event.device.is_symbol() || source.device.is_symbol();
    if (!context.unguarded(event.block, symbolic)) continue;
    if (!widened_before(context, event)) narrowed_after(context, event);
  }
}

}  // namespace xfer::analyzer
