#include "analyzer/checks/agreements.h"

namespace xfer::analyzer {
namespace {

/// It is where a tensor or a module is that the function was given, or finds somewhere.
bool is_where_something_is(const CheckContext& context, const Symbol& symbol) {
  const Role role = holder_role(context, symbol);
  return role == Role::kTensor || role == Role::kModule || (role == Role::kNone && symbol.base);
}

}  // namespace

Agreements::Agreements(const CheckContext& context) : context_(context) {
  for (const OperandsEvent& event : context.events.operand_events)
    for (const OperandView& operand : event.operands)
      if (!event.indexing) add(operand, event.operands.front(), event.zero_dim_cpu, event.block);
  for (const NeedEvent& event : context.events.need_events)
    if (!event.need->host_access)
      add(event.first, event.second, event.need->zero_dim_cpu, event.block);
  for (const TransferEvent& event : context.events.transfer_events)
    if (event.given && event.device.is_symbol() && context.unguarded(event.block, true) &&
        is_where_something_is(context, context.symbols[event.device.symbol]) &&
        !context.places_in_program(event.device).always_cpu())
      moved_to_.push_back(event.device);
}

bool Agreements::meant_for_cuda(Device device) const {
  return (is_device_value(context_, device) && may_be_cuda(context_, device)) ||
         has(moved_to_, device);
}

void Agreements::add(const OperandView& one, const OperandView& other, bool zero_dim_cpu,
                     BlockId block) {
  const Device a = one.object.device;
  const Device b = other.object.device;
  const auto has_dims = [](const OperandView& view) {
    return view.module || view.object.rank == Rank::kNonZero;
  };
  const auto may_have_dims = [](const OperandView& view) {
    return view.module || view.object.rank != Rank::kZero;
  };
  if (zero_dim_cpu && !(may_have_dims(one) && may_have_dims(other))) return;
  const bool perhaps = zero_dim_cpu && !(has_dims(one) && has_dims(other));
  if ((a.is_symbol() || b.is_symbol()) && !(a == b)) met_.push_back({a, b, block, perhaps});
}

bool Agreements::meet_too(BlockId met, BlockId block) const {
  return met == block || context_.graph.dominates(met, block) || context_.graph.follows(met, block);
}

std::vector<Device> Agreements::with(Device device, BlockId block,
                                     const std::vector<Device>& others, Places which) const {
  std::vector<Device> places;
  add_places(context_.symbols, device, which, places);
  for (std::size_t known = 0; known != places.size();) {
    known = places.size();
    for (const auto& [one, other, met, perhaps] : met_) {
      if ((perhaps && which == Places::kAgreeing) || has(others, one) || has(others, other) ||
          has(places, one) == has(places, other) || !meet_too(met, block))
        continue;
      add_places(context_.symbols, has(places, one) ? other : one, which, places);
    }
  }
  return places;
}

}  // namespace xfer::analyzer
