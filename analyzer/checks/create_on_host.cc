// Finds: a tensor made on the CPU by a factory that fills it (zeros, ones, rand, ...) only to be
// copied to a device: `torch::zeros({n}).to(device)`. Does not find: tensors made from host data,
// values that the CPU also uses or keeps, forced copies. Cost: one look at each transfer.

#include <algorithm>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {
namespace {

/// A conversion, or a part of it (tril, triu): the device does as well on what it makes itself.
bool keeps_all(const Call* step) {
  return step != nullptr && step->model != nullptr &&
         (step->model->keeps_element || step->model->kind == CallKind::kTransfer);
}

/// The object that such steps, whose operands nothing else reads, turned into the source.
ObjectId first_of(const CheckContext& context, const TransferEvent& event) {
  ObjectId id = event.source;
  FactId reader = event.fact;
  for (unsigned depth = 0; depth < 16; ++depth) {
    const auto made = context.events.computed_from.find(id);
    if (made == context.events.computed_from.end() ||
        !keeps_all(context.call_of(made->second.fact)) || !read_only_by(context, id, reader) ||
        !read_only_by(context, made->second.from, made->second.fact))
      break;
    reader = made->second.fact;
    id = made->second.from;
  }
  return id;
}

}  // namespace

void check_create_on_host(const CheckContext& context) {
  for (const TransferEvent& event : context.events.transfer_events) {
    if (!event.certain || !event.given || event.call->forces_copy ||
        !event.source_object.device.is_cpu() || event.device.is_cpu())
      continue;
    const ObjectId source = first_of(context, event);
    const OriginTable::Entry& origin = context.origins[source];
    const Fact* made = origin.origin == Origin::kFact ? context.fact(origin.fact()) : nullptr;
    if (made == nullptr || !made->is<fact::Invoke>()) continue;
    const Call& factory = *call_of(context.facts, *made);
    if (factory.model == nullptr || factory.model->result != Placement::kArguments ||
        factory.model->exposes || factory.model->rank == RankEffect::kFromData ||
        factory.has_receiver)
      continue;
    if (!read_only_by(context, event.source, event.fact) ||
        event.source_object.memory == Memory::kPinned)
      continue;
    const bool symbolic = event.device.is_symbol();
    if (!context.unguarded(event.block, symbolic)) continue;
    Finding finding = context.make(Rule::kCreateOnHost, event.call->callee_spot,
                                   {{"operand", context.name(event.call->receiver)},
                                    {"device", context.short_text(event.device)}});
    const bool options =
        std::any_of(factory.arguments.begin(), factory.arguments.end(), [](const Operand& operand) {
          return operand.role == Role::kOptions || operand.role == Role::kDevice ||
                 operand.role == Role::kScalarType;
        });
    // The same numbers, unless a generator makes them: each device has its own.
    const bool random = factory.model->random;
    const bool chained = made->value && made->value == event.call->receiver.value;
    if (chained && !options && !random && !factory.arguments.empty() &&
        event.call->arguments.size() == 1 && !event.call->converts) {
      const std::string whole = context.source.raw(context.spot(factory.spot));
      const std::string device = context.source.raw(context.spot(event.call->arguments[0].spot));
      if (!whole.empty() && whole.back() == ')' && !device.empty()) {
        auto edit = context.source.replace(context.spot(event.call->spot),
                                           whole.substr(0, whole.size() - 1) + ", " + device + ")");
        if (edit) finding.fix = Fix{"make it on the device", {std::move(*edit)}};
      }
    }
    context.add_choice(finding, event.device);
    context.findings.push_back(std::move(finding));
  }
}

}  // namespace xfer::analyzer
