#include "analyzer/program/handlings.h"

#include <algorithm>
#include <optional>

namespace xfer::analyzer {
namespace {

class HandlingCollector {
 public:
  HandlingCollector(const FunctionView& function, const SourceText& source)
      : function_(function), source_(source) {}

  void add(Device from, bool moved, SpotId at) {
    const std::optional<Holder> holder = holder_of(from);
    if (!holder) return;
    const auto known = [&](const Handling& other) {
      return other.from == *holder && other.moved == moved;
    };
    if (std::ranges::any_of(found, known)) return;
    found.push_back(
        {*holder, moved, source_.location(function_.facts.spots[at], function_.facts.name)});
  }

  std::vector<Handling> found;

 private:
  std::optional<Holder> holder_of(Device device) const {
    if (!device.is_symbol()) return std::nullopt;
    const std::optional<Holder>& held = function_.symbols[device.symbol].held;
    const bool handed =
        held && (held->kind == Holder::Kind::kResult || held->kind == Holder::Kind::kLeft);
    return handed ? held : std::nullopt;
  }

  const FunctionView& function_;
  const SourceText& source_;
};

}  // namespace

std::vector<Handling> handlings_of(const FunctionView& function, const Events& events,
                                   const SourceText& source) {
  HandlingCollector collector(function, source);
  for (const TransferEvent& event : events.transfer_events)
    if (event.given && function.symbols.may_be_cuda(event.device))
      collector.add(event.source_object.device, true, event.call->spot);
  for (const OperandsEvent& event : events.operand_events)
    for (const OperandView& operand : event.operands)
      collector.add(operand.object.device, false, event.call->spot);
  for (const NeedEvent& event : events.need_events)
    for (const OperandView* operand : {&event.first, &event.second})
      collector.add(operand->object.device, false, event.call->spot);
  return std::move(collector.found);
}

}  // namespace xfer::analyzer
