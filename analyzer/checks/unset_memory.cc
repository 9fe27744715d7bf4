// The part of missing-transfer that is about raw memory.
//
// Finds: memory of a device, or managed memory, that this function allocated, and that nothing
// was copied or written to before a kernel reads it for the first time, or before it is copied
// from: a forgotten upload, or a forgotten launch. Does not find: memory that a kernel may write
// first, or may not read as it is set; memory that unknown code may hold by then, that some path
// fills, or that another function allocated. Cost: for each pointer that a launch is given, and
// each copy, a walk over the blocks.

#include <algorithm>
#include <set>

#include "analyzer/checks/operand_pair.h"

namespace xfer::analyzer {
namespace {

/// Some path leads from one point to the other, and does not pass `around` before.
bool leads(const FunctionFacts& facts, Point from, Point to, Point around) {
  const auto passes = [&](BlockId block, const Fact* first, const Fact* last) {
    return around.block == block && around.fact >= first && around.fact < last;
  };
  if (from.block == to.block && to.fact > from.fact) return !passes(from.block, from.fact, to.fact);
  BlockFlags seen(facts.blocks.size(), false);
  std::vector<BlockId> ahead;
  const auto leave = [&](BlockId block, const Fact* since) {
    const std::vector<Fact>& all = facts.blocks[block].facts;
    if (passes(block, since, all.data() + all.size())) return;
    for (const BlockId next : facts.blocks[block].successors)
      if (!seen[next]) {
        seen[next] = true;
        ahead.push_back(next);
      }
  };
  leave(from.block, from.fact);
  while (!ahead.empty()) {
    const BlockId block = ahead.back();
    ahead.pop_back();
    const Fact* const start = facts.blocks[block].facts.data();
    if (block == to.block) return !passes(block, start, to.fact);
    leave(block, start);
  }
  return false;
}

/// Something may write to the memory between its allocation and the first time that `use` comes.
bool may_be_set(const CheckContext& context, ObjectId id, Point made, Point use) {
  const auto written = context.events.written_by.find(id);
  const auto escapes = context.events.escapes.find(id);
  for (const BlockId block : context.facts.blocks.ids()) {
    const std::vector<Fact>& facts = context.facts.blocks[block].facts;
    const auto comes_between = [&](const Fact& fact) {
      const Point point{block, &fact};
      return &fact != use.fact && &fact != made.fact && leads(context.facts, made, point, use) &&
             leads(context.facts, point, use, made);
    };
    if (written != context.events.written_by.end())
      for (const Fact& fact : facts)
        if (written->second.contains(&fact) && comes_between(fact)) return true;
    // Of an escape only the block is known.
    if (escapes != context.events.escapes.end() &&
        std::ranges::find(escapes->second, block) != escapes->second.end() &&
        std::ranges::any_of(facts, comes_between))
      return true;
  }
  return false;
}

/// The allocation, where nothing wrote to the memory since, on any path; null: something may have.
/// Memory that one of two pointers may point to has an id of its own, which no allocation made.
const Call* unset(const CheckContext& context, const OperandView& pointer, FactId used,
                  BlockId block) {
  const Object& memory = pointer.object;
  if (!memory.device.is_cuda() && memory.memory != Memory::kManaged) return nullptr;
  const Call* call = dear_allocation(context, pointer.id).call;
  if (call == nullptr) return nullptr;
  if (!memory.escaped && memory.version == first_version(pointer.id)) return call;
  const std::optional<Point> made = context.point_of(*call);
  return !made || may_be_set(context, pointer.id, *made, {block, context.fact(used)}) ? nullptr
                                                                                      : call;
}

void report(const CheckContext& context, const Call& call, const OperandView& pointer,
            const Call& made) {
  Finding finding =
      context.make(Rule::kMissingTransfer, spot_in(context, call, pointer.spot),
                   {{"operand", ""}, {"operand_device", ""}, {"other", ""}, {"other_device", ""}});
  finding.message = "`" + call.name + "` reads " + operand_name(context, pointer) +
                    ", but nothing was copied or written to that memory since it was allocated";
  finding.notes.push_back(context.note(made.callee_spot, "the memory is allocated here"));
  context.findings.push_back(std::move(finding));
}

}  // namespace

void check_unset_memory(const CheckContext& context) {
  if (context.facts.unreadable) return;  // what did not parse may fill anything
  std::set<const Call*> told;
  const auto look = [&](const Call& call, const OperandView& pointer, FactId fact, BlockId block) {
    const Call* made = unset(context, pointer, fact, block);
    if (made != nullptr && told.insert(made).second) report(context, call, pointer, *made);
  };
  for (const DeviceAccessEvent& event : context.events.device_access_events)
    if (event.call->form == CallForm::kKernel && event.reads_first)
      look(*event.call, event.pointer, event.fact, event.block);
  for (const MemoryCopyEvent& event : context.events.memory_copy_events) {
    const Direction told_way = event.call->direction;  // a wrong one is copy-kind's
    if (told_way == Direction::kDeviceToHost || told_way == Direction::kDeviceToDevice)
      look(*event.call, event.from, event.fact, event.block);
  }
}

}  // namespace xfer::analyzer
