// Finds: a pointer or an accessor into a tensor that is on CUDA, followed by host code: `*p`,
// `p[i]`, memcpy, the standard algorithms, a vector made from it; from_blob without a device over
// such a pointer; a call of a function that does so with what it is given; a pointer that a copy in
// the function takes for one to a device. Does not find: pointers passed to kernels, to the CUDA
// runtime or to code without a body here; item() (it copies); tensors whose place is not known.
// Cost: one look at each access, and at each copy for those of unknown memory.

#include <set>
#include <utility>

#include "analyzer/checks/beliefs.h"
#include "analyzer/checks/operand_pair.h"

namespace xfer::analyzer {
namespace {

std::string describe(const CheckContext& context, const HostAccessEvent& event) {
  const fact::Access& access = *event.access;
  const std::string pointer = context.name(access.spot, Role::kTensor);
  const std::string whole = "`" + context.source.text(context.spot(event.spot)) + "`";
  switch (access.how) {
    case HostAccess::kFollowed: return "the host dereferences " + pointer;
    case HostAccess::kCalled:
      return "`" + access.function + "` dereferences " + pointer + " on the host";
    case HostAccess::kAccessor: return whole + " is a host accessor";
    case HostAccess::kWrapped:
      return "`" + access.function + "` treats " + pointer + " as host memory";
  }
  return whole;
}

struct Found {
  Device device;
  Belief belief;  ///< of memory, that says so
};

/// Where it is; of memory also as the whole program says, or a copy of it.
Found place_of(const CheckContext& context, const Object& object, ObjectId id, BlockId block) {
  if (object.kind != ObjectKind::kMemory || !object.device.is_symbol()) return {object.device, {}};
  const Belief belief = believed(context, object, id, block);
  const bool device = belief.side == Side::kDevice;
  return {device ? Device::cuda(Device::kCurrent) : object.device, belief};
}
Found place_of(const CheckContext& context, const NeedEvent& event) {
  return place_of(context, event.first.object, event.first.id, event.block);
}

/// A call and what its callee needs of what is given there.
using NeedAtCall = std::pair<FactId, const Need*>;

/// The calls that give only what is on CUDA in some run: of a list all that is known to be in it.
std::set<NeedAtCall> given_on_cuda(const CheckContext& context) {
  std::set<NeedAtCall> calls, others;
  for (const NeedEvent& event : context.events.need_events) {
    const Device device = place_of(context, event).device;
    const bool cuda =
        context.symbols.may_be_cuda(device) && context.unguarded(event.block, device.is_symbol());
    (cuda ? calls : others).insert({event.fact, event.need});
  }
  for (const NeedAtCall& other : others) calls.erase(other);
  return calls;
}

/// Reports operands on a device that callees dereference on the host.
void report_needs(const CheckContext& context, std::set<ObjectId>& told_memory) {
  const std::set<NeedAtCall> on_cuda = given_on_cuda(context);
  std::set<std::pair<FactId, const Operand*>> told;
  for (const NeedEvent& event : context.events.need_events) {
    const OperandView& given = event.first;
    const auto [device, belief] = place_of(context, event);
    const bool memory = given.object.kind == ObjectKind::kMemory;
    if ((!memory && !event.need->host_access) || !event.second.object.device.is_cpu() ||
        given.operand == nullptr || !on_cuda.contains({event.fact, event.need}))
      continue;
    if (memory ? !device.is_cuda() || !told_memory.insert(given.id).second
               : !told.insert({event.fact, given.operand}).second)
      continue;
    Finding finding = context.make(
        Rule::kHostAccess, event.call->callee_spot ? event.call->callee_spot : event.call->spot,
        {{"access", "`" + event.call->name + "` dereferences " + operand_name(context, given) +
                        " on the host"},
         {"device", context.text(device)}});
    context.add_placement(finding, memory ? "the memory" : "the tensor", given.object);
    add_belief(context, finding, belief, operand_name(context, given));
    finding.notes.push_back({event.need->at, "it is dereferenced here: " + event.need->what});
    context.add_choice(finding, device);
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace

void check_host_access(const CheckContext& context) {
  // Device code may be all that calls a function of both sides.
  if (context.unit[context.facts.function].device_too) return;
  std::set<SpotId> told;  // of a pointer variable, the first access is enough
  std::set<ObjectId> told_memory;
  for (const HostAccessEvent& event : context.events.host_access_events) {
    const bool memory = event.object.kind == ObjectKind::kMemory;
    const auto [device, belief] = place_of(context, event.object, event.id, event.block);
    if (!context.symbols.may_be_cuda(device)) continue;
    if (!context.unguarded(event.block, device.is_symbol())) continue;
    if (memory && !told_memory.insert(event.id).second) continue;
    const VariableId pointer = event.access->variable;
    const SpotId given = !pointer ? SpotId() : context.facts.variables[pointer].given;
    if (given && !told.insert(given).second) continue;
    Finding finding =
        context.make(Rule::kHostAccess, event.spot,
                     {{"access", describe(context, event)}, {"device", context.text(device)}});
    if (given) finding.notes.push_back(context.note(given, "the pointer is taken here"));
    context.add_placement(finding, memory ? "the memory" : "the tensor", event.object);
    add_belief(context, finding, belief, context.name(event.access->spot, Role::kMemory));
    context.add_choice(finding, device);
    context.findings.push_back(std::move(finding));
  }
  report_needs(context, told_memory);
}

}  // namespace xfer::analyzer
