// Finds: a copy of as many bytes as the memory has elements; `sizeof` of the pointer itself; more
// bytes than the memory was allocated with. Sizes are compared as sums of products over what the
// function does not know further (flow/amounts.h), however they are spelled; of arrays, vectors and
// what new and malloc make too, and through functions that allocate or copy; memory that another
// function allocated for a field or for a variable of the file. Does not find: parts of memory,
// memory that several places allocate or that other files see, elements of one byte.
// Cost: one look at each copy.

#include <utility>

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
  if (!constant) return otherwise;
  return *constant == 1 ? "1 byte" : std::to_string(*constant) + " bytes";
}

/// One side of a copy, known by the call that allocated it, or as an array or a vector.
struct Room {
  const Call* made = nullptr;
  std::string fault;
};

/// Of memory that this function or a callee allocated.
Room room_of(const CheckContext& context, const OperandView& memory, std::uint64_t element,
             const Formula& copied) {
  if (const auto room = context.amounts.rooms.find(memory.id);
      room != context.amounts.rooms.end()) {
    const Call& made = context.facts.calls[room->second.made];
    const Formula has = context.amounts.bytes(room->second);
    const std::uint64_t made_of = room->second.size.element;
    const std::string text = bytes_of(has, "what `" + made.name + "` allocates");
    return {&made, fault(has, text, made_of > 1 ? made_of : element, copied)};
  }
  const Call* made = allocation_of(context, memory.object);
  if (made == nullptr || made->size.text.empty()) return {};
  const Formula has = context.amounts.bytes(context.facts.calls.id_of(*made));
  return {made, fault(has, bytes_of(has, "`" + made->size.text + "` bytes"),
                      made->size.element > 1 ? made->size.element : element, copied)};
}

Room room_of(const CheckContext& context, const Call& copy, const OperandView& side, bool to) {
  const CallId id = context.facts.calls.id_of(copy);
  const Formula copied = context.amounts.bytes(id);
  const Formula own = to ? context.amounts.target(id) : context.amounts.source(id);
  if (own.sum) {
    const std::string text = bytes_of(
        own, "the elements of `" + context.source.text(context.spot(side.operand->spot)) + "`");
    return {nullptr, fault(own, text, copy.size.element, copied)};
  }
  return room_of(context, side, copy.size.element, copied);
}

/// The callee copies to or from the beginning of what the call gives it. Of `p + n` the rest is
/// smaller.
bool copies_from_beginning(const SideWithin& side, const OperandView& given) {
  return side.memory && side.memory->path.empty() && given.operand != nullptr &&
         given.operand->place && side.at == Polynomial::of(side.memory->parameter);
}

/// A callee copies to or from what it is given.
void check_within(const CheckContext& context, const MemoryCopyEvent& event) {
  const CopyWithin& within = *event.within;
  const Formula& copied = context.amounts.part(event.copy).bytes;
  Room room;
  for (const auto& [side, given] : {std::pair(&within.to, &event.to), {&within.from, &event.from}})
    if (room.fault.empty() && copies_from_beginning(*side, *given))
      room = room_of(context, *given, within.size.element, copied);
  if (room.fault.empty()) return;
  const auto constant = copied.sum->as_constant();
  const std::string bytes =
      constant ? std::to_string(*constant) + " bytes" : "as many bytes as its arguments say";
  Finding finding =
      context.make(Rule::kCopySize, event.call->callee_spot,
                   {{"call", "`" + event.call->name + "`"}, {"bytes", bytes}, {"why", room.fault}});
  finding.notes.push_back({within.at, "they are copied here, by " + within.what});
  if (room.made != nullptr)
    finding.notes.push_back(context.note(room.made->callee_spot, "the memory is allocated here"));
  context.findings.push_back(std::move(finding));
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
      if (!why.empty() && room.made == nullptr && call.extent != nullptr)
        allocated = side == &event.to ? call.extent->to_made : call.extent->from_made;
    }
    if (why.empty()) continue;
    Finding finding = context.make(Rule::kCopySize, call.callee_spot,
                                   {{"call", "`" + call.name + "`"},
                                    {"bytes", "`" + call.size.text + "` bytes"},
                                    {"why", why}});
    if (allocated) finding.notes.push_back(context.note(allocated, "the memory is allocated here"));
    context.findings.push_back(std::move(finding));
  }
  for (const MemoryCopyEvent& event : context.events.copies_within) check_within(context, event);
}

}  // namespace xfer::analyzer
