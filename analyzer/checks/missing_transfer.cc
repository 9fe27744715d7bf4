// Finds: an operation whose operands are for certain on different devices, in the function itself
// or in a callee whose summary says what must agree; a module run on an input that is elsewhere; a
// tensor on the CPU indexed by one that is not.
// Evidence where the flow does not know an operand's place: the program (missing_in_program), other
// operands that it meets (missing_by_agreement), values that came with it (moved_beside), the file
// that it was read from (missing_for_loaded), parts of an object that a function moves and leaves
// (moved_without, left_behind), all other uses of a function's result (moved_elsewhere).
// Does not find: anything else that depends on an unknown value, CPU scalars beside CUDA tensors
// where the operation takes them, indices on the CPU, code that runs only when a device was asked
// for. Cost: pairs of operands per call.

#include <set>

#include "analyzer/checks/left_behind.h"
#include "analyzer/checks/missing_by_agreement.h"
#include "analyzer/checks/missing_for_loaded.h"
#include "analyzer/checks/missing_in_program.h"
#include "analyzer/checks/moved_beside.h"
#include "analyzer/checks/moved_elsewhere.h"
#include "analyzer/checks/moved_without.h"

namespace xfer::analyzer {
namespace {

std::string callee_of(const CheckContext& context, const Call& call) {
  return context.unit[call.callee ? call.callee : call.named].qualified_name;
}

void report(const CheckContext& context, const Meeting& at, Pair pair) {
  const Object& operand = pair.operand->object;
  const Object& other = pair.other->object;
  const bool own = is_own(*pair.other);
  const bool found = own && at.need != nullptr && at.need->second.found;
  Finding finding = describe(context, at.call, pair,
                             context.short_text(operand.device) + context.if_moved(operand.device),
                             found ? "a device that may be CUDA" : context.text(other.device));
  context.add_placement(finding, operand_name(context, *pair.operand), operand);
  if (!own) context.add_placement(finding, operand_name(context, *pair.other), other);
  context.add_choice(finding, other.device);
  const Device a = operand.device;
  const Device b = other.device;
  if (a.is_cuda() && b.is_cuda())
    for (const OperandView* view : {pair.operand, pair.other})
      if (view->object.device.index == Device::kCurrent && view->object.placed_at)
        finding.notes.push_back(context.note(
            view->object.placed_at,
            "CUDA without an index is the current device, which is cuda:0 unless it was set"));
  add_circumstances(at, finding);
  if (at.need != nullptr && own) return say(context, at, std::move(finding));
  if (at.need != nullptr) context.needs_told.push_back({at.need->at, callee_of(context, at.call)});
  context.findings.push_back(std::move(finding));
}

/// The CPU operand is the one to move; else the later one.
Pair order(const OperandView& a, const OperandView& b) {
  if (is_own(b)) return {&a, &b};
  if (is_device(a)) return {&b, &a};
  if (a.module) return {&b, &a};
  if (b.module || !b.object.device.is_cpu()) {
    if (b.object.device.is_cuda() && a.object.device.is_cuda() && !b.module) return {&b, &a};
    return {&a, &b};
  }
  return {&b, &a};
}

/// The two are apart, whatever the program says besides.
bool apart(const CheckContext& context, const MissingInProgram& program, const OperandView& a,
           const OperandView& b, BlockId block) {
  return context.differ(a.object.device, b.object.device, block) && !program.settles(a) &&
         !program.settles(b);
}

/// The function does not know where one of them is, and the code runs wherever that may be.
bool program_may_tell(const CheckContext& context, const OperandView& a, const OperandView& b,
                      BlockId block) {
  const Device one = a.object.device;
  const Device other = b.object.device;
  return context.program != nullptr && (one.is_symbol() || other.is_symbol()) &&
         relate(one, other) != Relation::kSame && context.unguarded(block, true);
}

}  // namespace

void check_missing_transfer(const CheckContext& context) {
  check_unset_memory(context);
  check_left_behind(context);
  std::set<FactId> reported;
  MissingInProgram program(context);
  const Agreements agreements(context);
  MissingByAgreement by_agreement(context, agreements);
  MovedBeside beside(context, agreements);
  MovedWithout without(context, agreements);
  MovedElsewhere elsewhere(context);
  MissingForLoaded for_loaded(context, agreements);
  const auto judge = [&](const Meeting& at, const OperandView& a, const OperandView& b) {
    if (by_agreement.told(a) || by_agreement.told(b)) return true;
    return program_may_tell(context, a, b, at.block) &&
           (program.judge(at, a, b) || by_agreement.judge(at, a, b) || beside.judge(at, a, b) ||
            without.judge(at, a, b) || elsewhere.judge(at, a, b) || for_loaded.judge(at, a, b));
  };
  for (const OperandsEvent& event : context.events.operand_events) {
    if (reported.count(event.fact) != 0) continue;
    const Meeting at{*event.call,    event.block, event.zero_dim_cpu,
                     event.indexing, event.again, nullptr};
    for (std::size_t i = 0; i < event.operands.size(); ++i)
      for (std::size_t j = i + 1; j < event.operands.size(); ++j) {
        const OperandView& a = event.operands[i];
        const OperandView& b = event.operands[j];
        if (event.indexing && i != 0) continue;
        if (!apart(context, program, a, b, event.block)) {
          if (judge(at, a, b)) reported.insert(event.fact);
          continue;
        }
        if (event.indexing && !wrong_index(a, b)) continue;
        if (exempt(a, b, event.zero_dim_cpu) || !reported.insert(event.fact).second) continue;
        report(context, at, order(a, b));
      }
  }
  for (const NeedEvent& event : context.events.need_events) {
    if (reported.count(event.fact) != 0) continue;
    if (event.first.object.kind == ObjectKind::kMemory || event.need->host_access)
      continue;  // host-access, host-pointer-to-kernel
    const Meeting at{*event.call, event.block, event.need->zero_dim_cpu,
                     false,       event.again, event.need};
    if (!apart(context, program, event.first, event.second, event.block)) {
      if (judge(at, event.first, event.second)) reported.insert(event.fact);
      continue;
    }
    if (exempt(event.first, event.second, at.zero_dim_cpu)) continue;
    reported.insert(event.fact);
    report(context, at, order(event.first, event.second));
  }
}

}  // namespace xfer::analyzer
