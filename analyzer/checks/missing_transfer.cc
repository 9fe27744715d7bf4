// Finds: an operation whose operands are for certain on different devices, in the function itself
// or in a callee whose summary says what must agree; a module run on an input that is elsewhere; a
// tensor on the CPU indexed by one that is not.
// Does not find: anything that depends on an unknown value, CPU scalars beside CUDA tensors where
// the operation takes them, indices on the CPU, code that runs only when a device was asked for.
// Cost: pairs of operands per call.

#include <algorithm>
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
  if (!view.spot) return "`" + view.path + "`";
  std::string name = context.name(view.spot, view.operand->role);
  name.insert(name.size() - 1, "." + view.path);
  return name;
}

/// It is a device that a callee was given, and stands for what the callee has there.
bool is_device(const OperandView& view) { return view.operand != nullptr && !view.id; }

Finding describe(const CheckContext& context, const Call& call, Pair pair,
                 const std::string& operand_device, const std::string& other_device) {
  const bool own = pair.other->operand == nullptr || is_device(*pair.other);
  const std::string other_text =
      own ? "what `" + call.name + "` uses it with" : operand_name(context, *pair.other);
  return context.make(Rule::kMissingTransfer, call.callee_spot ? call.callee_spot : call.spot,
                      {{"operand", operand_name(context, *pair.operand)},
                       {"operand_device", operand_device},
                       {"other", other_text},
                       {"other_device", other_device}});
}

std::string callee_of(const CheckContext& context, const Call& call) {
  return context.unit[call.callee ? call.callee : call.named].qualified_name;
}

void add_need(const Call& call, const Need* need, Finding& finding) {
  if (need == nullptr) return;
  finding.notes.push_back(
      {need->at, "`" + call.name + "` needs them on one device: " + need->what});
}

void report(const CheckContext& context, const Call& call, Pair pair, const Need* need) {
  const Object& operand = pair.operand->object;
  const Object& other = pair.other->object;
  Finding finding = describe(context, call, pair,
                             context.short_text(operand.device) + context.if_moved(operand.device),
                             context.text(other.device));
  context.add_placement(finding, operand_name(context, *pair.operand), operand);
  const bool own = pair.other->operand == nullptr || is_device(*pair.other);
  if (!own) context.add_placement(finding, operand_name(context, *pair.other), other);
  context.add_choice(finding, other.device);
  const Device a = operand.device;
  const Device b = other.device;
  if (a.is_cuda() && b.is_cuda())
    for (const OperandView* view : {pair.operand, pair.other})
      if (view->object.device.index == Device::kCurrent && view->object.where)
        finding.notes.push_back(context.note(
            view->object.where,
            "CUDA without an index is the current device, which is cuda:0 unless it was set"));
  add_need(call, need, finding);
  if (need == nullptr) {
    context.findings.push_back(std::move(finding));
  } else if (own) {
    context.shared.push_back({std::move(finding), need->at,
                              context.unit[context.facts.function].qualified_name,
                              SharedFinding::Place::kCall, context.unit_number});
  } else {
    context.needs_told.push_back({need->at, callee_of(context, call)});
    context.findings.push_back(std::move(finding));
  }
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

/// What the whole program says of an operand.
struct Inferred {
  std::vector<Source> sources;
  Inference::Known known;
  bool cpu = false;
  bool cuda = false;       ///< in some run, whoever gives it
  bool parameter = false;  ///< a call of the function gives it
  bool given = false;      ///< the same, or it is a part of what one gives
};

Inferred infer(const CheckContext& context, const OperandView& view) {
  Inferred inferred;
  inferred.sources = context.sources_of(view.object);
  inferred.known = context.program->known(context.unit_number, inferred.sources);
  const Device at = view.object.device;
  for_each_holder(inferred.sources, [&](const Holder& holder) {
    inferred.given = true;
    inferred.parameter |=
        holder.kind == Holder::Kind::kParameter && holder.number != kThisParameter;
  });
  inferred.cpu = at.is_cpu() || inferred.known.places.always_cpu();
  // What the program tells of a device is more than what is to be expected of one.
  inferred.cuda =
      inferred.given ? inferred.known.places.may_be_cuda() : context.symbols.may_be_cuda(at);
  return inferred;
}

/// The operation fails for all of the program that comes to it, in some run.
void report_inferred(const CheckContext& context, const Call& call, OperandView cpu,
                     const OperandView& cuda, const Inferred& at, const Inferred& other,
                     const Need* need) {
  cpu.object.device = Device::cpu();
  const std::string device = other.known.places.has(static_cast<std::uint8_t>(~PlaceSet::kCuda))
                                 ? "a device that may be CUDA"
                                 : "CUDA";
  // The callee's own: nothing in the call stands for it.
  const bool own = cpu.operand == nullptr || is_device(cpu);
  Finding finding = own ? describe(context, call, {&cuda, &cpu}, device, "the CPU")
                        : describe(context, call, {&cpu, &cuda}, "the CPU", device);
  if (!own) context.add_placement(finding, operand_name(context, cpu), cpu.object);
  for (const Inferred* one : {&at, &other})
    for (Note& note :
         context.program->trace(context.unit_number, one->sources, one->known.places.places()))
      finding.notes.push_back(std::move(note));
  add_need(call, need, finding);
  SharedFinding inferred;
  inferred.operation = need == nullptr ? finding.location : need->at;
  inferred.function = context.unit[context.facts.function].qualified_name;
  const bool calls = own || cuda.operand == nullptr || is_device(cuda);
  inferred.place = (at.given && other.given) || calls ? SharedFinding::Place::kCallee
                                                      : SharedFinding::Place::kHere;
  inferred.unit = context.unit_number;
  inferred.finding = std::move(finding);
  context.shared.push_back(std::move(inferred));
}

/// Of two places of a function that do not agree the first operation tells: what comes behind it is
/// never reached.
using Pairs = std::set<std::pair<SymbolId, SymbolId>>;

/// The parameters that say where either is.
std::set<VariableId> parameters_of(const CheckContext& context, const Inferred& one,
                                   const Inferred& other) {
  std::set<VariableId> given;
  for (const Inferred* judged : {&one, &other})
    for_each_holder(judged->sources, [&](const Holder& holder) {
      if (holder.kind == Holder::Kind::kParameter && holder.function == context.facts.function &&
          holder.number < context.facts.parameters.size())
        given.insert(context.facts.parameters[holder.number]);
    });
  return given;
}

/// True: it is a finding.
bool judge_in_program(const CheckContext& context, const Call& call, BlockId block,
                      const OperandView& a, const OperandView& b, bool zero_dim_cpu, bool indexing,
                      const Need* need, Pairs& told) {
  const auto one_place = [](Device device) { return !device.is_symbol(); };
  if (context.program == nullptr || relate(a.object.device, b.object.device) == Relation::kSame ||
      (one_place(a.object.device) && one_place(b.object.device)) || !context.unguarded(block, true))
    return false;
  const Inferred first = infer(context, a);
  const Inferred second = infer(context, b);
  // What is done for some calls alone may be for others than these.
  if ((first.parameter || second.parameter) &&
      !context.graph.runs_where_given(block, parameters_of(context, first, second)))
    return false;
  const bool forward = first.cpu && second.cuda;
  if (!forward && !(second.cpu && first.cuda && !indexing)) return false;
  const auto seen = [](OperandView view, const Inferred& inferred, Device device) {
    if (without_holder(view.object.rank) == Rank::kUnknown) view.object.rank = inferred.known.rank;
    if (inferred.cpu) view.object.device = Device::cpu();
    if (!inferred.cpu) view.object.device = device;
    return view;
  };
  const OperandView cpu = forward ? seen(a, first, {}) : seen(b, second, {});
  const OperandView cuda =
      forward ? seen(b, second, b.object.device) : seen(a, first, a.object.device);
  if (indexing && !wrong_index(cpu, cuda)) return false;
  if (exempt(cpu, cuda, zero_dim_cpu)) return false;
  const auto [low, high] = std::minmax(a.object.device.symbol, b.object.device.symbol);
  if (low != high && !told.emplace(low, high).second && a.object.device.is_symbol() &&
      b.object.device.is_symbol())
    return true;
  report_inferred(context, call, cpu, cuda, forward ? first : second, forward ? second : first,
                  need);
  return true;
}

/// What looks like a choice here is none: all callers decide it the same way in every run.
bool settled_by_callers(const CheckContext& context, const OperandView& view) {
  if (context.program == nullptr || !view.object.device.is_symbol()) return false;
  return context.program->known(context.unit_number, context.sources_of(view.object))
      .places.has(PlaceSet::kSettled);
}

/// The two are apart, whatever the program says besides.
bool apart(const CheckContext& context, const OperandView& a, const OperandView& b, BlockId block) {
  return context.differ(a.object.device, b.object.device, block) &&
         !settled_by_callers(context, a) && !settled_by_callers(context, b);
}

}  // namespace

void check_missing_transfer(const CheckContext& context) {
  check_unset_memory(context);
  std::set<FactId> reported;
  Pairs told;
  for (const OperandsEvent& event : context.events.operand_events) {
    if (reported.count(event.fact) != 0) continue;
    for (std::size_t i = 0; i < event.operands.size(); ++i)
      for (std::size_t j = i + 1; j < event.operands.size(); ++j) {
        const OperandView& a = event.operands[i];
        const OperandView& b = event.operands[j];
        if (!apart(context, a, b, event.block)) {
          if (event.indexing && i != 0) continue;
          if (judge_in_program(context, *event.call, event.block, a, b, event.zero_dim_cpu,
                               event.indexing, nullptr, told))
            reported.insert(event.fact);
          continue;
        }
        if (event.indexing && (i != 0 || !wrong_index(a, b))) continue;
        if (exempt(a, b, event.zero_dim_cpu) || !reported.insert(event.fact).second) continue;
        report(context, *event.call, order(a, b), nullptr);
      }
  }
  for (const NeedEvent& event : context.events.need_events) {
    if (reported.count(event.fact) != 0) continue;
    if (event.first.object.kind == ObjectKind::kMemory)
      continue;  // host-access, host-pointer-to-kernel
    if (!apart(context, event.first, event.second, event.block)) {
      if (judge_in_program(context, *event.call, event.block, event.first, event.second,
                           event.need->zero_dim_cpu, false, event.need, told))
        reported.insert(event.fact);
      continue;
    }
    if (exempt(event.first, event.second, event.need->zero_dim_cpu)) continue;
    reported.insert(event.fact);
    report(context, *event.call, order(event.first, event.second), event.need);
  }
}

}  // namespace xfer::analyzer
