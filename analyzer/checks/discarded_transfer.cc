// Finds: a statement that calls a transfer and drops the tensor that it returned: also behind
// commas, in branches without braces, in template instances. Does not find: `(void)` casts,
// Module::to (it moves in place), a user's own `to`, a transfer of a fresh temporary or before a
// synchronisation (warm-up, timing). Cost: one look at each call.

#include <algorithm>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {
namespace {

/// `x.to(torch::kFloat)`: no device is given.
bool only_converts(const Call& call) {
  const auto is = [&](Role role) {
    return std::any_of(call.arguments.begin(), call.arguments.end(),
                       [&](const Operand& argument) { return argument.role == role; });
  };
  return is(Role::kScalarType) && !is(Role::kDevice) && !is(Role::kOptions);
}

}  // namespace

void check_discarded_transfer(const CheckContext& context) {
  for (const Block& block : context.facts.blocks)
    for (const Fact& fact : block.facts) {
      const Call* made = call_of(context.facts, fact);
      if (made == nullptr) continue;
      const Call& call = *made;
      if (!call.discarded || call.expects_failure || call.model == nullptr ||
          call.model->discard.empty() || !call.has_receiver || call.receiver_temporary)
        continue;
      // It is being timed, or warms the device up.
      if (any_call(context.facts, block, waits)) continue;
      const std::string operand = context.name(call.receiver);
      Finding finding = context.make(
          Rule::kDiscardedTransfer, call.callee_spot,
          {{"call", "`" + context.source.text(context.spot(call.spot)) + "`"},
           {"operand", operand},
           {"loss", only_converts(call) ? "keeps its element type" : call.model->discard}});
      if (call.receiver_assignable) {
        const std::string target = context.source.raw(context.spot(call.receiver.spot));
        auto edit = context.source.insert_before(context.spot(call.spot), target + " = ");
        if (edit && !target.empty())
          finding.fix = Fix{"assign the result to " + operand, {std::move(*edit)}};
      }
      context.findings.push_back(std::move(finding));
    }
}

}  // namespace xfer::analyzer
