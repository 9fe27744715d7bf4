#include "analyzer/unit_analysis.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "analyzer/flow/flow.h"
#include "analyzer/program/coverage.h"
#include "analyzer/program/overriders.h"
#include "analyzer/program/summarise.h"

namespace xfer::analyzer {

UnitAnalysis::UnitAnalysis(const Unit& unit, const AnalysisOptions& options)
    : unit_(unit),
      options_(options),
      source_(unit),
      fields_(unit, *this),
      summaries_(unit.functions.size()) {
  for (std::size_t number = 1; number < unit.functions.size(); ++number)
    add_overrider(FunctionId(number), FunctionId(number), 0);
}

/// A method overrides what its bases' one does.
void UnitAnalysis::add_overrider(FunctionId method, FunctionId of, unsigned depth) {
  if (depth > 8) return;
  for (const FunctionId base : unit_[of].overrides) {
    overriders_[base].push_back(method);
    add_overrider(method, base, depth + 1);
  }
}

bool UnitAnalysis::in_progress(FunctionId function) const {
  const Slot& slot = summaries_[function.number()];
  return slot.asked && slot.known == nullptr;
}

const Summary& UnitAnalysis::summary_of(FunctionId function) {
  Slot& slot = summaries_[function.number()];
  // While a function is being analysed, its own calls of it know nothing.
  if (slot.asked) return slot.known == nullptr ? unknown_ : *slot.known;
  slot.asked = true;
  if (!unit_[function].defined) {
    slot.known = &summary_elsewhere(function);
  } else {
    slot.own = std::make_unique<Summary>(analyze_body(function));
    slot.known = slot.own.get();
  }
  return *slot.known;
}

/// Of a function without a body here: what another unit said of it.
const Summary& UnitAnalysis::summary_elsewhere(FunctionId function) {
  const std::string& name = unit_[function].link_name;
  if (name.empty()) return unknown_;
  result_.summaries.calls.insert(name);
  const Summary* known = options_.others == nullptr ? nullptr : options_.others->find(name);
  return known == nullptr ? unknown_ : *known;
}

/// In a program that is known whole, all methods that a virtual call may run are known.
const Summary& UnitAnalysis::summary_of_any(FunctionId method) {
  // A function held in a variable or a container may change the caller's fields besides.
  if (!options_.whole_program || unit_[method].stands_in) return unknown_;
  const auto [entry, added] = of_any_.try_emplace(method);
  if (added) {
    result_.summaries.virtual_calls.insert(unit_[method].identity);
    Summary combined = combine_overriders(method);
    return of_any_[method] = std::move(combined);
  }
  return entry->second;
}

Summary UnitAnalysis::combine_overriders(FunctionId method) {
  std::optional<Summary> all;
  std::set<std::string> here;
  const auto add = [&](const Summary& one) { all = all ? either(*all, one) : one; };
  const auto add_own = [&](FunctionId own) {
    if (!unit_[own].defined) return true;
    if (in_progress(own)) return false;
    add(summary_of(own));
    here.insert(unit_[own].identity);
    return true;
  };
  if (!add_own(method)) return {};
  if (const auto own = overriders_.find(method); own != overriders_.end())
    if (!std::ranges::all_of(own->second, add_own)) return {};
  if (options_.others != nullptr)
    if (const auto* others = options_.others->overriders(unit_[method].identity))
      for (const auto& [name, summary] : *others)
        if (!here.contains(name)) add(summary);
  return all.value_or(Summary{});
}

void UnitAnalysis::export_overriders() {
  const auto tell = [&](FunctionId base, FunctionId method) {
    const Summary* own = summaries_[method.number()].own.get();
    const std::string& name = unit_[base].identity;
    if (own != nullptr && !name.empty() && !unit_[method].identity.empty())
      result_.summaries.overriders[name][unit_[method].identity] = *own;
  };
  for (const auto& [base, methods] : overriders_)
    for (const FunctionId method : methods) tell(base, method);
  for (std::size_t number = 1; number < summaries_.size(); ++number)
    if (unit_.functions[number].is_virtual) tell(FunctionId(number), FunctionId(number));
}

void UnitAnalysis::judge(const CheckContext& context) {
  for (const Check& check : checks())
    if (wanted(check.rule)) check.run(context);
}

Summary UnitAnalysis::analyze_body(FunctionId id) {
  const Function& function = unit_[id];
  if (!function.kernel.empty()) {  // the host runs none of it
    Summary summary;
    summary.known = true;
    summary.kernel = function.kernel;
    return summary;
  }
  const auto given = judging_given_ ? given_.find(id) : given_.end();
  if (function.facts == nullptr) {
    result_.stats.skipped += !judging_given_;
    return {};
  }
  const FunctionFacts& facts = *function.facts;
  if (unit_[facts.this_class].module) members_.classes.insert(facts.this_class);
  if (!judging_given_) {
    ++result_.stats.functions;
    result_.stats.blocks += static_cast<unsigned>(facts.blocks.size());
  }
  OriginTable origins;
  SymbolTable symbols;
  Interpreter interpreter(unit_, facts, origins, symbols, *this);
  if (given != given_.end())
    for (const auto& [parameter, at] : given->second) interpreter.assume_cuda(parameter);
  Flow flow(facts, interpreter, origins, symbols);
  if (!flow.run()) {
    result_.stats.skipped += !judging_given_;
    return {};
  }
  Graph graph(facts);
  // Last of all what holds in any iteration: the symbols then stand for that.
  IterationEvents first(false);
  flow.replay_iterations(Flow::Iteration::kFirst, graph, first);
  IterationEvents later(true);
  flow.replay_iterations(Flow::Iteration::kLater, graph, later);
  Events events(graph);
  flow.replay(events);
  first.add_to(events);
  later.add_to(events);
  if (options_.explain_unknown && !judging_given_)
    add_unknowns(unit_, facts, events, source_, result_.stats.unknown);
  const CheckContext context{unit_,
                             facts,
                             events,
                             flow.numbers(),
                             interpreter.deciding(),
                             origins,
                             symbols,
                             source_,
                             graph,
                             interpreter.amounts(),
                             members_,
                             function.current_device_changes,
                             result_.findings,
                             options_.program,
                             options_.unit,
                             result_.shared,
                             result_.needs_told};
  note_given(context);
  if (function.in_scope) {
    if (given != given_.end())
      judge_given(context, given->second);
    else
      judge(context);
  }
  const FunctionView view{unit_, facts, origins, symbols, interpreter.deciding()};
  if (!judging_given_ && options_.program == nullptr) {
    const std::vector<Inflow> inflows = inflows_of(view, events, flow.exit_state(), source_);
    result_.inflows.insert(result_.inflows.end(), inflows.begin(), inflows.end());
    std::ranges::move(handlings_of(view, events, source_), std::back_inserter(result_.handlings));
  }
  if (!judging_given_ && options_.program != nullptr) {
    const OperandCount operands =
        count_operands(view, events, *options_.program, options_.unit, source_,
                       options_.explain_unknown ? &result_.stats.unknown : nullptr);
    result_.stats.operands.all += operands.all;
    result_.stats.operands.known += operands.known;
  }
  // Judged again: the summary is the one that stands.
  if (facts.unreadable || judging_given_) return {};
  return summarise(view, flow, events, source_, graph, interpreter.amounts(), options_.program,
                   options_.unit);
}

void UnitAnalysis::export_summaries() {
  for (std::size_t number = 0; number < summaries_.size(); ++number) {
    const Function& function = unit_.functions[number];
    if (summaries_[number].own != nullptr && !function.link_name.empty())
      result_.summaries.functions[function.link_name] = {function.qualified_name,
                                                         *summaries_[number].own};
  }
}

void sort_findings(std::vector<Finding>& findings) {
  const auto key = [](const Finding& finding) {
    return std::tie(finding.location.file, finding.location.line, finding.location.column,
                    finding.rule);
  };
  std::ranges::stable_sort(findings, {}, key);
  const auto again = std::ranges::unique(findings, {}, key);
  findings.erase(again.begin(), again.end());
}

AnalysisResult UnitAnalysis::run() {
  for (std::size_t number = 1; number < unit_.functions.size(); ++number)
    if (!unit_.functions[number].kernel.empty()) summary_of(FunctionId(number));
  for (const FunctionId function : unit_.order) summary_of(function);
  judging_given_ = true;
  for (std::size_t index = 0; index < to_judge_again_.size(); ++index)
    analyze_body(to_judge_again_[index]);
  export_summaries();
  export_overriders();
  export_members(members_, unit_, result_.summaries);
  if (options_.others != nullptr) import_members(*options_.others, unit_, members_);
  result_.faults = unit_.faults;
  for (const Check& check : checks())
    if (check.finish != nullptr && wanted(check.rule))
      check.finish(members_, unit_, result_.findings);
  for (const auto& [moved, at] : members_.moved) result_.moved.insert(moved);
  if (unit_.incomplete) forget_members(result_.summaries);
  sort_findings(result_.findings);
  return std::move(result_);
}

}  // namespace xfer::analyzer
