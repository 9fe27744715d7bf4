// Finds: an operation whose operands are for certain on different devices, in the function itself
// or in a callee whose summary says what must agree; a module run on an input that is elsewhere; a
// tensor on the CPU indexed by one that is not.
// Does not find: anything that depends on an unknown value, CPU scalars beside CUDA tensors where
// the operation takes them, indices on the CPU, code that runs only when a device was asked for.
// Cost: pairs of operands per call.

#include <set>
#include <utility>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {
namespace {

struct Pair {
  const OperandView* operand = nullptr;  ///< the one to move
  const OperandView* other = nullptr;
};

/// A tensor on the CPU with an index on a device. One without dimensions is read there first.
bool wrong_index(const OperandView& indexed, const OperandView& index) {
  return indexed.object.device.is_cpu() && index.object.rank == Rank::kNonZero;
}

bool exempt(const OperandView& a, const OperandView& b, bool zero_dim_cpu) {
  if (!zero_dim_cpu) return false;
  // Where one is known to be on the CPU, the fault is that the other is not: the known one counts.
  const auto may_be_cpu_scalar = [](const OperandView& view, const OperandView& other) {
    const Device at = view.object.device;
    const bool cpu = at.is_cpu() || (!at.is_cuda() && !other.object.device.is_cpu());
    return cpu && !view.module && view.object.rank != Rank::kNonZero;
  };
  return may_be_cpu_scalar(a, b) || may_be_cpu_scalar(b, a);
}

std::string operand_name(const CheckContext& context, const OperandView& view) {
  if (view.path.empty()) return context.name(view.spot, view.operand->role);
  if (view.spot == 0) return "`" + view.path + "`";
  std::string name = context.name(view.spot, view.operand->role);
  name.insert(name.size() - 1, "." + view.path);
  return name;
}

/// It is a device that a callee was given, and stands for what the callee has there.
bool is_device(const OperandView& view) { return view.operand != nullptr && view.id == 0; }

void report(const CheckContext& context, const Call& call, Pair pair, const Need* need) {
  const Object& operand = pair.operand->object;
  const Object& other = pair.other->object;
  const std::string operand_text = operand_name(context, *pair.operand);
  const bool own = pair.other->operand == nullptr || is_device(*pair.other);
  const std::string other_text =
      own ? "what `" + call.name + "` uses it with" : operand_name(context, *pair.other);
  Finding finding = context.make(
      Rule::kMissingTransfer, call.callee_spot != 0 ? call.callee_spot : call.spot,
      {{"operand", operand_text},
       {"operand_device", context.short_text(operand.device) + context.if_moved(operand.device)},
       {"other", other_text},
       {"other_device", context.text(other.device)}});
  context.add_placement(finding, operand_text, operand);
  if (!own) context.add_placement(finding, other_text, other);
  context.add_choice(finding, other.device);
  const Device a = operand.device;
  const Device b = other.device;
  if (a.is_cuda() && b.is_cuda())
    for (const OperandView* view : {pair.operand, pair.other})
      if (view->object.device.index == Device::kCurrent && view->object.where != 0)
        finding.notes.push_back(context.note(
            view->object.where,
            "CUDA without an index is the current device, which is cuda:0 unless it was set"));
  if (need != nullptr)
    finding.notes.push_back(
        {need->at, "`" + call.name + "` needs them on one device: " + need->what});
  context.findings.push_back(std::move(finding));
}

/// The CPU operand is the one to move; else the later one.
Pair order(const OperandView& a, const OperandView& b) {
  if (b.operand == nullptr || is_device(b)) return {&a, &b};
  if (is_device(a)) return {&b, &a};
  if (a.module) return {&b, &a};
  if (b.module || !b.object.device.is_cpu()) {
    if (b.object.device.is_cuda() && a.object.device.is_cuda() && !b.module) return {&b, &a};
    return {&a, &b};
  }
  return {&b, &a};
}

}  // namespace

void check_missing_transfer(const CheckContext& context) {
  check_unset_memory(context);
  std::set<FactId> reported;
  for (const OperandsEvent& event : context.events.operand_events) {
    if (event.call->expects_throw || reported.count(event.fact) != 0) continue;
    for (std::size_t i = 0; i < event.operands.size(); ++i)
      for (std::size_t j = i + 1; j < event.operands.size(); ++j) {
        const OperandView& a = event.operands[i];
        const OperandView& b = event.operands[j];
        if (!context.differ(a.object.device, b.object.device, event.block)) continue;
        if (event.indexing && (i != 0 || !wrong_index(a, b))) continue;
        if (exempt(a, b, event.zero_dim_cpu) || !reported.insert(event.fact).second) continue;
        report(context, *event.call, order(a, b), nullptr);
      }
  }
  for (const NeedEvent& event : context.events.need_events) {
    if (reported.count(event.fact) != 0) continue;
    if (event.first.object.kind == ObjectKind::kMemory)
      continue;  // host-access, host-pointer-to-kernel
    if (!context.differ(event.first.object.device, event.second.object.device, event.block))
      continue;
    if (exempt(event.first, event.second, event.need->zero_dim_cpu)) continue;
    reported.insert(event.fact);
    report(context, *event.call, order(event.first, event.second), event.need);
  }
}

}  // namespace xfer::analyzer
