#include "analyzer/checks/operand_pair.h"

namespace xfer::analyzer {

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
  if (!view.spot) return "`" + view.path + "`";
  std::string name = context.name(view.spot, view.operand->role);
  name.insert(name.size() - 1, "." + view.path);
  return name;
}

Finding describe(const CheckContext& context, const Call& call, Pair pair,
                 const std::string& operand_device, const std::string& other_device) {
  const bool own = is_own(*pair.other);
  const std::string other_text =
      own ? "the data that `" + call.name + "` uses with it" : operand_name(context, *pair.other);
  return context.make(Rule::kMissingTransfer, call.callee_spot ? call.callee_spot : call.spot,
                      {{"operand", operand_name(context, *pair.operand)},
                       {"operand_device", operand_device},
                       {"other", other_text},
                       {"other_device", other_device}});
}

Finding describe_on_cpu(const CheckContext& context, const Call& call, const OperandView& cpu,
                        const OperandView& other, const std::string& device) {
  if (is_own(cpu) && other.operand != nullptr)
    return describe(context, call, {&other, &cpu}, device, "the CPU");
  Finding finding = describe(context, call, {&cpu, &other}, "the CPU", device);
  context.add_placement(finding, operand_name(context, cpu), cpu.object);
  return finding;
}

void say(const CheckContext& context, const Meeting& at, Finding finding,
         SharedFinding::Blame blame) {
  Location operation = at.need == nullptr ? finding.location : at.need->at;
  context.share(std::move(finding), std::move(operation), blame);
}

void say(const CheckContext& context, const Meeting& at, Finding finding) {
  say(context, at, std::move(finding),
      at.need == nullptr ? SharedFinding::Blame::kHere : SharedFinding::Blame::kCall);
}

void add_circumstances(const Meeting& at, Finding& finding) {
  if (at.again)
    finding.notes.push_back({finding.location, "from the second iteration of the loop on"});
  if (at.need == nullptr) return;
  finding.notes.push_back(
      {at.need->at, "`" + at.call.name + "` needs them on one device: " + at.need->what});
}

}  // namespace xfer::analyzer
