// The part of missing-transfer that is about raw memory.
//
// Finds: device memory that this function allocated, that nothing was copied or written to since,
// and that a kernel reads before it writes there, or that is copied from: a forgotten upload, or a
// forgotten launch. Does not find: memory that a kernel may write first, or may not read as it is
// set; memory that unknown code may hold, that only some paths fill, or that another function
// allocated. Cost: one look at each pointer that a launch is given, and at each copy.

#include "analyzer/checks/check.h"

namespace xfer::analyzer {
namespace {

/// The allocation, where nothing wrote to the memory since, on any path; null: something may have.
/// What one of two pointers may point to has an id of its own, which no allocation made.
const Call* unset(const CheckContext& context, const OperandView& pointer) {
  const Object& memory = pointer.object;
  if (!memory.device.is_cuda() || memory.escaped || memory.version != first_version(pointer.id))
    return nullptr;
  const Call* call = context.made_by(pointer.id);
  const bool allocates =
      call != nullptr && call->model != nullptr && call->model->kind == CallKind::kAllocate;
  return allocates ? call : nullptr;
}

void report(const CheckContext& context, const Call& call, const OperandView& pointer,
            const Call& made) {
  Finding finding =
      context.make(Rule::kMissingTransfer, pointer.spot,
                   {{"operand", ""}, {"operand_device", ""}, {"other", ""}, {"other_device", ""}});
  finding.message = "`" + call.name + "` reads " + context.name(pointer.spot, Role::kMemory) +
                    ", but nothing was copied or written to that memory since it was allocated";
  finding.notes.push_back(context.note(made.callee_spot, "the memory is allocated here"));
  context.findings.push_back(std::move(finding));
}

}  // namespace

void check_unset_memory(const CheckContext& context) {
  for (const DeviceAccessEvent& event : context.events.device_access_events) {
    const bool reads = event.call->form == CallForm::kKernel && event.pointer.operand->reads_first;
    const Call* made = unset(context, event.pointer);
    if (made != nullptr && reads) report(context, *event.call, event.pointer, *made);
  }
  for (const MemoryCopyEvent& event : context.events.memory_copy_events) {
    const Call* made = unset(context, event.from);
    const Direction told = event.call->direction;  // a wrong one is copy-kind's
    const bool fetches = told == Direction::kDeviceToHost || told == Direction::kDeviceToDevice;
    if (made != nullptr && fetches) report(context, *event.call, event.from, *made);
  }
}

}  // namespace xfer::analyzer
