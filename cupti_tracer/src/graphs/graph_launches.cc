// The launches of graphs, as the recorder tells of them.

#include <utility>

#include "host_content.h"
#include "recorder.h"

namespace xfer::tracer {

void Recorder::enter_graph_launch(OpenCall& open) {
  managed_.forget();
  Event event = base_event(open, EventKind::kLaunch);
  event.flags |= kAsync | kMayTouchAll;
  OpenCall::Part part{queue_.reserve(event), event, {}, false, false};
  part.graph = true;
  const auto graph = graphs_.launch(open.call.graph);
  if (graph != nullptr) add_graph(*graph, part);
  if (!part.is_plain_graph) in_flight_.spoil_all();
  open.parts.push_back(std::move(part));
}

// Its memory is told as what a kernel touches.
void Recorder::add_graph(const GraphLaunch& graph, OpenCall::Part& part) {
  part.is_plain_graph = graph.is_plain;
  if (graph.is_plain) part.event.flags |= kPlain;
  for (const GraphLaunch::Range& range : graph.host_writes) lose(range.begin, range.end);
  Event event = part.event;
  event.kind = EventKind::kLaunchArg;
  for (const GraphLaunch::Gone& place : graph.gone) {
    event.flags = static_cast<std::uint16_t>(kMayTouchAll | (place.used ? kReads | kWrites : 0));
    event.address = place.address;
    event.space = place.now;
    part.arguments.push_back(event);
  }
  for (const GraphLaunch::HostSide& side : graph.sides) {
    const CopySide& on_host = side.to_host ? side.transfer.destination : side.transfer.source;
    event.flags = static_cast<std::uint16_t>(kPlain | kAsync | (side.to_host ? kWrites : kReads));
    const auto allocation = memory_.find(on_host.address);
    event.space = allocation ? allocation->space : Space::kPinned;
    side.transfer.put_side(on_host, &event);
    part.arguments.push_back(event);
    part.sides.push_back({side.transfer, side.to_host, source_at_launch(side)});
  }
  event.space = Space::kDevice;
  for (const GraphLaunch::DeviceSide& side : graph.on_devices) {
    event.flags = static_cast<std::uint16_t>(kPlain | kAsync | (side.writes ? kWrites : kReads));
    side.transfer.put_side(side.writes ? side.transfer.destination : side.transfer.source, &event);
    part.arguments.push_back(event);
  }
}

void Recorder::add_graph_touches(OpenCall::Part& part) const {
  const auto touched = graph_touched_ ? graph_touched_(part.event.correlation) : std::nullopt;
  if (!touched) return;
  Event event = part.event;
  event.kind = EventKind::kLaunchArg;
  for (const TouchedRange& range : *touched) {
    const auto allocation = memory_.find(range.begin);
    if (!allocation || !range.in_block || !range.every_byte || (!range.reads && !range.writes))
      continue;
    Event its = event;
    its.flags = static_cast<std::uint16_t>(kPlain | access_of(range));
    set_bytes(its, range);
    its.space = allocation->space;
    part.arguments.push_back(its);
  }
}

std::optional<ContentHash> Recorder::source_at_launch(const GraphLaunch::HostSide& side) {
  std::optional<ContentHash> hash;
  const CopyCall& transfer = side.transfer;
  SideMemory place;
  place.space = Space::kPinned;
  place.readable_host = true;
  if (!side.keeps_source || !may_hash(place, transfer.bytes()) ||
      !wants_content(transfer, transfer.source))
    return hash;
  budget_.spend(transfer.bytes(), [&] { hash = hash_side(transfer, transfer.source, true); });
  return hash;
}

}  // namespace xfer::tracer
