// Finds: a copy of as many bytes as the memory has elements; `sizeof` of the pointer itself; more
// bytes than the memory was allocated with. Sizes are compared as sums of products over what the
// function does not know further (flow/amounts.h), however they are spelled. Does not find: parts
// of memory, memory that another function allocated, elements of one byte.
// Cost: one look at each copy.

#include "analyzer/checks/check.h"

namespace xfer::analyzer {
namespace {

/// The copy has the number of the memory's elements for its number of bytes.
bool counts_elements(const Formula& has, const Formula& copied, std::uint64_t element) {
  if (element < 2 || copied.measured || has.sum == copied.sum) return false;
  if (has.sum->as_constant() && !has.measured) return false;
  return copied.sum->times(Polynomial::constant(static_cast<std::int64_t>(element))) == has.sum;
}

/// Why the copy's bytes are wrong for memory that the call `made` allocates; empty: they are not,
/// as far as that is known.
std::string fault(const CheckContext& context, const Call& made, const Call& copy) {
  const Formula& has = context.amounts.bytes(context.facts.calls.id_of(made));
  const Formula& copied = context.amounts.bytes(context.facts.calls.id_of(copy));
  if (!has.sum || !copied.sum) return {};
  const auto constant = has.sum->as_constant();
  const std::string size = constant ? std::to_string(*constant) : "`" + made.size.text + "` bytes";
  const std::uint64_t element = made.size.element > 1 ? made.size.element : copy.size.element;
  if (counts_elements(has, copied, element))
    return "that is the number of elements: the memory has `" + made.size.text + "` bytes";
  const auto more = copied.sum->minus(*has.sum);
  return more && more->is_positive() ? "the memory has " + size : "";
}

}  // namespace

void check_copy_size(const CheckContext& context) {
  for (const MemoryCopyEvent& event : context.events.memory_copy_events) {
    const Call& call = *event.call;
    if (call.size.text.empty()) continue;
    std::string why;
    SpotId allocated;
    if (call.size.of_pointer) why = "that is the size of a pointer";
    for (const OperandView* side : {&event.to, &event.from}) {
      const Call* made = allocation_of(context, side->object);
      if (made == nullptr || !why.empty()) continue;
      why = fault(context, *made, call);
      if (!why.empty()) allocated = made->callee_spot;
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
