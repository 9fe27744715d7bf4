#include "analyzer/checks/beliefs.h"

namespace xfer::analyzer {
namespace {

/// Whenever one of the two runs, the other may have run before it.
bool run_together(const CheckContext& context, BlockId a, BlockId b) {
  return context.graph.dominates(a, b) || context.graph.dominates(b, a);
}

Side side_told(const MemoryCopyEvent& copy, ObjectId id) {
  const Direction told = copy.direction;
  if (told == Direction::kUnknown || copy.to.id == copy.from.id) return Side::kUnknown;
  const bool device = copy.to.id == id
                          ? told == Direction::kHostToDevice || told == Direction::kDeviceToDevice
                          : told == Direction::kDeviceToHost || told == Direction::kDeviceToDevice;
  return device ? Side::kDevice : Side::kHost;
}

}  // namespace

Belief believed(const CheckContext& context, const Object& memory, ObjectId id, BlockId block) {
  Belief belief;
  belief.side = side_held(context, memory);
  if (belief.side != Side::kUnknown || memory.kind != ObjectKind::kMemory ||
      memory.memory != Memory::kUnknown || !memory.device.is_symbol() ||
      context.program == nullptr || context.program->any_unit(&Unit::shares_memory) ||
      !context.unguarded(block, true) || side_of(context, memory) != Side::kUnknown)
    return belief;
  for (const auto* events : {&context.events.memory_copy_events, &context.events.copies_within})
    for (const MemoryCopyEvent& copy : *events) {
      if ((copy.to.id != id && copy.from.id != id) || !run_together(context, copy.block, block))
        continue;
      const Side told = side_told(copy, id);
      if (told == Side::kUnknown || (belief.call != nullptr && told != belief.side)) return {};
      if (belief.call == nullptr) belief = {told, copy.call};
    }
  return belief;
}

void add_belief(const CheckContext& context, Finding& finding, const Belief& belief,
                const std::string& name) {
  if (belief.call == nullptr) return;
  const std::string side = belief.side == Side::kDevice ? "device memory" : "host memory";
  finding.notes.push_back(
      context.note(belief.call->callee_spot, name + " is copied here as " + side));
}

}  // namespace xfer::analyzer
