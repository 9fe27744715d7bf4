#include "analyzer/engine.h"

#include <algorithm>
#include <tuple>

#include "analyzer/flow/flow.h"
#include "analyzer/program/summarise.h"

namespace xfer::analyzer {

Engine::Engine(const Unit& unit, const AnalysisOptions& options)
    : unit_(unit),
      options_(options),
      source_(unit),
      fields_(unit, *this),
      summaries_(unit.functions.size()) {}

bool Engine::in_progress(FunctionId function) const {
  const Slot& slot = summaries_[function.number()];
  return slot.asked && slot.known == nullptr;
}

const Summary& Engine::summary_of(FunctionId function) {
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
const Summary& Engine::summary_elsewhere(FunctionId function) {
  const std::string& name = unit_[function].link_name;
  if (name.empty()) return unknown_;
  result_.summaries.calls.insert(name);
  const Summary* known = options_.others == nullptr ? nullptr : options_.others->find(name);
  return known == nullptr ? unknown_ : *known;
}

void Engine::judge(const CheckContext& context) {
  for (const Check& check : checks())
    if (wanted(check.rule)) check.run(context);
}

Summary Engine::analyze_body(FunctionId id) {
  const Function& function = unit_[id];
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
  Events events(graph);
  flow.replay(events);
  FirstIterations first(events);
  flow.replay_first_iterations(graph, first);
  if (options_.explain_unknown && !judging_given_)
    add_unknowns(unit_, facts, events, source_, result_.stats.unknown);
  const CheckContext context{
      unit_,           facts,   events, flow.numbers(), origins,
      symbols,         source_, graph,  members_,       function.current_device_changes,
      result_.findings};
  note_given(context);
  if (function.in_scope) {
    if (given != given_.end())
      judge_given(context, given->second);
    else
      judge(context);
  }
  // Judged again: the summary is the one that stands.
  if (facts.unreadable || judging_given_) return {};
  return summarise(unit_, facts, interpreter, flow, events, origins, symbols, source_, graph);
}

void Engine::export_summaries() {
  for (std::size_t number = 0; number < summaries_.size(); ++number) {
    const Function& function = unit_.functions[number];
    if (summaries_[number].own != nullptr && !function.link_name.empty())
      result_.summaries.functions[function.link_name] = {function.qualified_name,
                                                         *summaries_[number].own};
  }
}

/// In order; instances of one template say the same thing once.
void Engine::sort_findings() {
  const auto key = [](const Finding& finding) {
    return std::tie(finding.location.file, finding.location.line, finding.location.column,
                    finding.rule);
  };
  auto& findings = result_.findings;
  std::ranges::stable_sort(findings, {}, key);
  const auto again = std::ranges::unique(findings, {}, key);
  findings.erase(again.begin(), again.end());
}

AnalysisResult Engine::run() {
  for (const FunctionId function : unit_.order) summary_of(function);
  judging_given_ = true;
  for (std::size_t index = 0; index < to_judge_again_.size(); ++index)
    analyze_body(to_judge_again_[index]);
  export_summaries();
  export_members(members_, unit_, result_.summaries);
  if (options_.others != nullptr) import_members(*options_.others, unit_, members_);
  result_.faults = unit_.faults;
  for (const Check& check : checks())
    if (check.finish != nullptr && wanted(check.rule))
      check.finish(members_, unit_, result_.findings);
  if (unit_.incomplete) forget_members(result_.summaries);
  sort_findings();
  return std::move(result_);
}

}  // namespace xfer::analyzer
