// Finds: a copy of `n` bytes into or out of memory that was allocated as `n * sizeof(T)`; `sizeof`
// of the pointer itself; more bytes than the memory has, where both are constants.
// Does not find: parts of memory, sizes that are computed elsewhere, memory of one-byte elements.
// Cost: one look at each copy.

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

void check_copy_size(const CheckContext& context) {
  for (const MemoryCopyEvent& event : context.events.memory_copy_events) {
    const Call& call = *event.call;
    if (call.size.text.empty()) continue;
    std::string why;
    SpotId allocated;
    for (const OperandView* side : {&event.to, &event.from}) {
      if (call.size.of_pointer) why = "that is the size of a pointer";
      const Object& memory = side->object;
      const Call* made = allocation_of(context, memory);
      if (made != nullptr && made->size.text.empty()) made = nullptr;
      if (made == nullptr || !why.empty()) continue;
      const Size& has = made->size;
      if (has.element > 1 && call.size.element == 0 && has.count == call.size.count)
        why = "that is the number of elements: the memory has `" + has.text + "` bytes";
      else if (has.bytes != 0 && call.size.bytes > has.bytes)
        why = "the memory has " + std::to_string(has.bytes);
      allocated = why.empty() ? SpotId() : made->callee_spot;
    }
    if (why.empty()) continue;
    Finding finding = context.make(Rule::kCopySize, call.callee_spot,
                                   {{"call", "`" + call.name + "`"},
                                    {"bytes", "`" + call.size.text + "` bytes"},
                                    {"why", why}});
    if (allocated) finding.notes.push_back(context.note(allocated, "the memory is allocated here"));
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
