// Arguments that the calls of a unit pass to its functions. A function that some call gives a
// tensor on CUDA is judged again with that knowledge, when all is read. Other calls may give it
// other tensors; for that call its copies are real.

#include "analyzer/unit_analysis.h"

namespace xfer::analyzer {

/// The arguments that this unit passes to a function make its copies certain. Operands that do not
/// agree for such a call are reported at the call.
void UnitAnalysis::judge_given(const CheckContext& context, const GivenCuda& given) {
  const std::size_t before = result_.findings.size();
  for (const Check& check : checks())
    if (wanted(check.rule) &&
        (check.rule == Rule::kRepeatedTransfer || check.rule == Rule::kTransferInLoop ||
         check.rule == Rule::kRoundTrip))
      check.run(context);
  for (std::size_t index = before; index < result_.findings.size(); ++index)
    for (const auto& [parameter, at] : given)
      result_.findings[index].notes.push_back(
          {at, "in this call `" +
                   context.facts.variables[context.facts.parameters[parameter]].name +
                   "` can be on CUDA"});
}

void UnitAnalysis::note_given(const CheckContext& context) {
  for (const GivenEvent& event : context.events.given_events) {
    const FunctionId callee = event.call->callee;
    if (!callee || !unit_[callee].defined || event.parameter >= unit_[callee].declared ||
        !context.unguarded(event.block, true))
      continue;
    const bool added =
        given_[callee].try_emplace(event.parameter, context.at(event.call->callee_spot)).second;
    if (added) to_judge_again_.push_back(callee);
  }
}

}  // namespace xfer::analyzer
