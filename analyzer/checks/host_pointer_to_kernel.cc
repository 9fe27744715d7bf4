// Finds: a pointer to ordinary memory of the host (malloc, new, arrays, vectors) that a kernel, or
// a call that works on the device such as cudaMemset, is given; in the function itself or in a
// callee.
// Does not find: pinned and managed memory, which devices may follow; pointers in structs; memory
// whose place is not known; kernels started through a pointer to a function.
// Cost: one look at each pointer that a launch is given.

#include "analyzer/checks/sides.h"

namespace xfer::analyzer {
namespace {

Finding report(const CheckContext& context, const Call& call, const OperandView& pointer) {
  const std::string name = context.name(pointer.spot, Role::kMemory);
  Finding finding = context.make(Rule::kHostPointerToKernel, spot_in(context, call, pointer.spot),
                                 {{"call", "`" + call.name + "`"}, {"pointer", name}});
  context.add_placement(finding, "the memory", pointer.object);
  return finding;
}

}  // namespace

void check_host_pointer_to_kernel(const CheckContext& context) {
  for (const DeviceAccessEvent& event : context.events.device_access_events)
    if (side_held(context, event.pointer.object) == Side::kHost)
      context.findings.push_back(report(context, *event.call, event.pointer));
  for (const NeedEvent& event : context.events.need_events) {
    if (!event.second.object.device.is_cuda() || event.first.operand == nullptr ||
        side_held(context, event.first.object) != Side::kHost)
      continue;
    Finding finding = report(context, *event.call, event.first);
    finding.notes.push_back(
        {event.need->at, "`" + event.call->name + "` hands it to the device: " + event.need->what});
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
