// The rules about copies of tensors, applied to raw memory.
//
// Finds: a cudaMemcpy of the same bytes to the same place, where nothing wrote to either side
// since; one in a loop that changes neither; one back of what was brought and not changed, all of
// these through functions that copy what they are given too; an asynchronous one of pageable
// memory. Does not find: memory that unknown code may hold, parts whose size or place is not known,
// memory that a kernel is given by a pointer that it may write through, copies that are there to be
// timed. Cost: one look at each copy, and the loops around it.

#include "analyzer/checks/memory_copies.h"

#include <algorithm>

#include "analyzer/checks/operand_pair.h"
#include "analyzer/checks/timed.h"

namespace xfer::analyzer {

std::string place_of(const MemoryCopyEvent& event) {
  switch (event.direction) {
    case Direction::kHostToDevice:
    case Direction::kDeviceToDevice: return "CUDA";
    case Direction::kDeviceToHost:
    case Direction::kHostToHost: return "the CPU";
    case Direction::kUnknown: break;
  }
  return "`" + event.call->name + "`'s target";
}

/// Between the host and a device, as far as the pointers do not say otherwise (copy-kind).
bool crosses(const MemoryCopyEvent& event) {
  const bool up = event.direction == Direction::kHostToDevice;
  const bool down = event.direction == Direction::kDeviceToHost;
  const Device host = up ? event.from.object.device : event.to.object.device;
  const Device device = up ? event.to.object.device : event.from.object.device;
  return (up || down) && !host.is_cuda() && !device.is_cpu();
}

namespace {

/// The loop writes to the memory, the copy itself aside.
bool written_in(const CheckContext& context, ObjectId id, const Loop& loop, const Fact* copy) {
  const auto facts = context.events.written_by.find(id);
  if (facts == context.events.written_by.end()) return false;
  for (const BlockId block : context.facts.blocks.ids())
    for (const Fact& fact : context.facts.blocks[block].facts)
      if (loop.blocks[block] && &fact != copy && facts->second.count(&fact) != 0) return true;
  return false;
}

/// Something in the loop uses what was copied: else the loop is there to time the copy.
bool used_in(const CheckContext& context, ObjectId id, const Loop& loop, FactId copy) {
  const auto reads = context.events.reads.find(id);
  return reads != context.events.reads.end() &&
         std::any_of(reads->second.begin(), reads->second.end(), [&](const auto& read) {
           return read.first != copy && loop.blocks[read.second];
         });
}

/// The copied data decides whether the loop goes on: the loop waits for others to change it.
bool polls(const CheckContext& context, const MemoryCopyEvent& event, const Loop& loop) {
  const auto reads = context.events.reads.find(event.to.id);
  if (event.direction != Direction::kDeviceToHost || reads == context.events.reads.end())
    return false;
  return std::ranges::any_of(reads->second, [&](const auto& read) {
    const std::vector<BlockId>& next = context.facts.blocks[read.second].successors;
    return loop.blocks[read.second] &&
           std::ranges::any_of(next, [&](BlockId block) { return !loop.blocks[block]; });
  });
}

/// Numbers that say which part is copied may change in the loop.
bool renumbered_in(const CheckContext& context, const MemoryCopyEvent& event, const Loop& loop) {
  if (event.rests_on.empty()) return false;
  const auto changes = [&](ObjectId id) {
    return happens_in(context.events.renumberings, id, loop);
  };
  return changes(ObjectId()) || std::ranges::any_of(event.rests_on, [&](ObjectId id) {
           return changes(id) || !context.made_before(id, loop);
         });
}

bool invariant(const CheckContext& context, const MemoryCopyEvent& event, const Loop& loop) {
  if (!context.amounts.same_part_in(event.copy, loop.blocks) ||
      renumbered_in(context, event, loop) || (event.within != nullptr && !event.within->last))
    return false;
  const auto& outside = context.events.outside_writes;
  if (event.changeable &&
      std::any_of(outside.begin(), outside.end(), [&](BlockId at) { return loop.blocks[at]; }))
    return false;
  const Fact* copy = context.fact(event.fact);
  for (const OperandView* side : {&event.to, &event.from})
    if (!context.made_before(side->id, loop) || written_in(context, side->id, loop, copy) ||
        happens_in(context.events.escapes, side->id, loop))
      return false;
  return used_in(context, event.to.id, loop, event.fact);
}

/// The loop is timed as a whole, and each turn copies something the other way that the loop does
/// not read: it is there to measure both ways.
bool measures_both_ways(const CheckContext& context, const MemoryCopyEvent& copy,
                        const Loop& loop) {
  const auto comes_back = [&](const MemoryCopyEvent& other) {
    return loop.blocks[other.block] && crosses(other) && other.direction != copy.direction &&
           !used_in(context, other.to.id, loop, other.fact);
  };
  return std::ranges::any_of(context.events.memory_copy_events, comes_back) &&
         timed_around(context, loop);
}

/// The copies between the host and a device that a call makes, or its callee, if that times none.
std::vector<const MemoryCopyEvent*> certain_crossings(const CheckContext& context) {
  std::vector<const MemoryCopyEvent*> found;
  if (context.facts.unreadable) return found;  // unparsed code may change anything
  for (const auto* events : {&context.events.memory_copy_events, &context.events.copies_within})
    for (const MemoryCopyEvent& event : *events)
      if (event.certain && crosses(event) && (event.within == nullptr || !event.within->timed))
        found.push_back(&event);
  return found;
}

bool waits_for_one_stream(const Call& call) {
  return call.model != nullptr && call.model->kind == CallKind::kSynchronize &&
         (call.model->stream || call.model->event);
}

/// Says it of the call; if its callee copies, where.
void report(const CheckContext& context, const MemoryCopyEvent& event, Finding finding) {
  if (event.within != nullptr)
    finding.notes.push_back({event.within->at, "it is copied here, by " + event.within->what});
  context.findings.push_back(std::move(finding));
}

}  // namespace

void check_repeated_copies(const CheckContext& context) {
  for (const MemoryCopyEvent* copied : certain_crossings(context)) {
    const MemoryCopyEvent& event = *copied;
    if (!event.earlier) continue;
    const Call* first = context.call_of(event.earlier->transfer);
    // A macro that writes its argument twice, to say what failed, copies once.
    if (first == nullptr ||
        same_place(context.at(first->callee_spot), context.at(event.call->callee_spot)) ||
        timed_apart(context, *first, *event.call))
      continue;
    // The stream's work may have been unfinished when the first copy was made.
    if (event.direction != Direction::kHostToDevice &&
        stands_between(context, *first, *event.call, waits_for_one_stream))
      continue;
    Finding finding = context.make(Rule::kRepeatedTransfer, event.call->callee_spot,
                                   {{"operand", operand_name(context, event.from)},
                                    {"device", place_of(event)},
                                    {"line", std::to_string(context.at(first->callee_spot).line)}});
    finding.notes.push_back(context.note(first->callee_spot, "the first copy is made here"));
    report(context, event, std::move(finding));
  }
}

void check_copies_in_loops(const CheckContext& context) {
  for (const MemoryCopyEvent* copied : certain_crossings(context)) {
    const MemoryCopyEvent& event = *copied;
    const Loop* widest = context.widest_loop(event.block, [&](const Loop& loop) {
      return invariant(context, event, loop) && !timed_in_loop(context, *event.call, loop) &&
             !measures_both_ways(context, event, loop) && !polls(context, event, loop);
    });
    if (widest == nullptr) continue;
    const std::string operand = operand_name(context, event.from);
    Finding finding = context.make(Rule::kTransferInLoop, event.call->callee_spot,
                                   {{"operand", operand}, {"device", place_of(event)}});
    context.add_placement(finding, operand, event.from.object);
    if (const SpotId loop = context.facts.blocks[widest->head].loop; loop)
      finding.notes.push_back(context.note(loop, "the loop begins here"));
    report(context, event, std::move(finding));
  }
}

void check_copies_and_back(const CheckContext& context) {
  for (const MemoryCopyEvent* copied : certain_crossings(context)) {
    const MemoryCopyEvent& event = *copied;
    if (!event.away) continue;
    const Call* away = context.call_of(event.away->transfer);
    if (away == nullptr || event.away->direction == event.direction ||
        same_place(context.at(away->callee_spot), context.at(event.call->callee_spot)) ||
        timed_together(context, *away, *event.call))
      continue;
    const bool up = event.direction == Direction::kHostToDevice;
    Finding finding = context.make(Rule::kRoundTrip, event.call->callee_spot,
                                   {{"operand", operand_name(context, event.to)},
                                    {"via", up ? "the CPU" : "CUDA"},
                                    {"device", place_of(event)}});
    finding.notes.push_back(context.note(
        away->callee_spot, std::string("it is copied to ") + (up ? "the CPU" : "CUDA") + " here"));
    report(context, event, std::move(finding));
  }
}

void check_pageable_copies(const CheckContext& context) {
  for (const MemoryCopyEvent& event : context.events.memory_copy_events) {
    if (!event.call->model->asynchronous || !crosses(event)) continue;
    const OperandView& host = event.direction == Direction::kHostToDevice ? event.from : event.to;
    if (host.object.memory != Memory::kPageable) continue;
    const std::string operand = context.name(host.spot, Role::kMemory);
    Finding finding = context.make(Rule::kPageableAsync, event.call->callee_spot,
                                   {{"operand", operand}, {"device", place_of(event)}});
    context.add_placement(finding, operand, host.object);
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
