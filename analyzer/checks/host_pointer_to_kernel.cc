// Finds: a pointer to ordinary memory of the host (malloc, new, arrays, vectors) that a kernel, or
// a call that works on the device such as cudaMemset, is given; in the function itself or in a
// callee; a pointer that a copy in the function takes for one to memory of the host.
// Does not find: pinned and managed memory, which devices may follow; memory whose place is
// not known; pointers in objects that are parts of what the kernel is given.
// Cost: one look at each pointer that a launch is given.

#include "analyzer/checks/beliefs.h"
#include "analyzer/checks/operand_pair.h"

namespace xfer::analyzer {
namespace {

Belief belief_of(const CheckContext& context, const OperandView& pointer, BlockId block) {
  return believed(context, pointer.object, pointer.id, block);
}

Finding report(const CheckContext& context, const Call& call, const OperandView& pointer,
               const Belief& belief) {
  const std::string name = operand_name(context, pointer);
  Finding finding = context.make(Rule::kHostPointerToKernel, spot_in(context, call, pointer.spot),
                                 {{"call", "`" + call.name + "`"}, {"pointer", name}});
  context.add_placement(finding, "the memory", pointer.object);
  add_belief(context, finding, belief, name);
  return finding;
}

}  // namespace

void check_host_pointer_to_kernel(const CheckContext& context) {
  for (const DeviceAccessEvent& event : context.events.device_access_events) {
    const Belief belief = belief_of(context, event.pointer, event.block);
    if (belief.side == Side::kHost)
      context.findings.push_back(report(context, *event.call, event.pointer, belief));
  }
  for (const NeedEvent& event : context.events.need_events) {
    if (!event.second.object.device.is_cuda() || event.first.operand == nullptr) continue;
    const Belief belief = belief_of(context, event.first, event.block);
    if (belief.side != Side::kHost) continue;
    Finding finding = report(context, *event.call, event.first, belief);
    finding.notes.push_back({event.need->at, "`" + event.call->name +
                                                 "` passes it to the device: " + event.need->what});
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
