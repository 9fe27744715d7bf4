// Finds: a pointer or an accessor into a tensor that is on CUDA, followed by host code: `*p`,
// `p[i]`, memcpy, the standard algorithms, a vector made from it; from_blob without a device over
// such a pointer. Does not find: pointers passed to kernels, to the CUDA runtime or to code without
// a body here; item() (it copies); pointers in fields; tensors whose place is not known. Cost: one
// look at each access.

#include <set>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {
namespace {

std::string describe(const CheckContext& context, const HostAccessEvent& event) {
  const fact::Access& access = *event.access;
  const std::string pointer = context.name(access.spot, Role::kTensor);
  const std::string whole = "`" + context.source.text(context.spot(event.spot)) + "`";
  switch (access.how) {
    case HostAccess::kFollowed: return "the host follows " + pointer;
    case HostAccess::kCalled:
      return "`" + access.function + "` follows " + pointer + " on the host";
    case HostAccess::kAccessor: return whole + " is for the host";
    case HostAccess::kWrapped:
      return "`" + access.function + "` takes " + pointer + " for host memory";
  }
  return whole;
}

}  // namespace

void check_host_access(const CheckContext& context) {
  std::set<SpotId> told;  // of a pointer variable, the first access is enough
  std::set<ObjectId> told_memory;
  for (const HostAccessEvent& event : context.events.host_access_events) {
    const Device device = event.object.device;
    if (!context.symbols.may_be_cuda(device)) continue;
    if (!context.unguarded(event.block, device.is_symbol())) continue;
    const bool memory = event.object.kind == ObjectKind::kMemory;
    if (memory && !told_memory.insert(event.id).second) continue;
    const VariableId pointer = event.access->variable;
    const SpotId given = !pointer ? SpotId() : context.facts.variables[pointer].given;
    if (given && !told.insert(given).second) continue;
    Finding finding =
        context.make(Rule::kHostAccess, event.spot,
                     {{"access", describe(context, event)}, {"device", context.text(device)}});
    if (given) finding.notes.push_back(context.note(given, "the pointer is taken here"));
    context.add_placement(finding, memory ? "the memory" : "the tensor", event.object);
    context.add_choice(finding, device);
    context.findings.push_back(std::move(finding));
  }
  for (const NeedEvent& event : context.events.need_events) {
    const Device device = event.first.object.device;
    if (event.first.object.kind != ObjectKind::kMemory || !event.second.object.device.is_cpu() ||
        event.first.operand == nullptr || !device.is_cuda() ||
        !told_memory.insert(event.first.id).second)
      continue;
    const std::string pointer = context.name(event.first.spot, Role::kMemory);
    Finding finding = context.make(
        Rule::kHostAccess, event.call->callee_spot ? event.call->callee_spot : event.call->spot,
        {{"access", "`" + event.call->name + "` follows " + pointer + " on the host"},
         {"device", context.text(device)}});
    context.add_placement(finding, "the memory", event.first.object);
    finding.notes.push_back({event.need->at, "it is followed here: " + event.need->what});
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
