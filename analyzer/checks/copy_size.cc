// Finds: a copy of as many bytes as the memory has elements; `sizeof` of the pointer itself; more
// bytes than the memory was allocated with. Sizes are compared as sums of products over what the
// function does not know further (flow/amounts.h), however they are spelled; of arrays, vectors and
// what new and malloc make too. Does not find: parts of memory, memory that another function
// allocated, elements of one byte.
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

/// Why the copy's bytes are wrong for memory of `has` bytes, which are written so; empty: they are
/// not, as far as that is known.
std::string fault(const Formula& has, const std::string& text, std::uint64_t element,
                  const Formula& copied) {
  if (!has.sum || !copied.sum) return {};
  if (counts_elements(has, copied, element))
    return "that is the number of elements: the memory has " + text;
  const auto more = copied.sum->minus(*has.sum);
  return more && more->is_positive() ? "the memory has " + text : "";
}

std::string bytes_of(const Formula& has, const std::string& otherwise) {
  const auto constant = has.sum ? has.sum->as_constant() : std::nullopt;
  return constant ? std::to_string(*constant) : otherwise;
}

/// What a copy's side is known to be: by the call that allocated it, or as an array or a vector.
struct Room {
  const Call* made = nullptr;
  std::string fault;
};

Room room_of(const CheckContext& context, const Call& copy, const OperandView& side, bool to) {
  const CallId id = context.facts.calls.id_of(copy);
  const Formula copied = context.amounts.bytes(id);
  const Formula own = to ? context.amounts.target(id) : context.amounts.source(id);
  if (own.sum) {
    const std::string text =
        bytes_of(own, "as many as `" + context.source.text(context.spot(side.operand->spot)) +
                          "` has elements");
    return {nullptr, fault(own, text, copy.size.element, copied)};
  }
  const Call* made = allocation_of(context, side.object);
  if (made == nullptr || made->size.text.empty()) return {};
  const Formula has = context.amounts.bytes(context.facts.calls.id_of(*made));
  const std::uint64_t element = made->size.element > 1 ? made->size.element : copy.size.element;
  return {made, fault(has, bytes_of(has, "`" + made->size.text + "` bytes"), element, copied)};
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
      if (!why.empty()) break;
      const Room room = room_of(context, call, *side, side == &event.to);
      why = room.fault;
      if (!why.empty() && room.made != nullptr) allocated = room.made->callee_spot;
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
