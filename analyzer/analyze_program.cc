#include "analyzer/analyze_program.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <iterator>
#include <thread>

#include "analyzer/engine.h"
#include "analyzer/program/inference.h"
#include "analyzer/program/rounds.h"
#include "analyzer/program/whole_program.h"

namespace xfer::analyzer {
namespace {

void for_each(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t index = next++; index < count; index = next++) task(index);
  };
  std::vector<std::jthread> helpers;
  for (unsigned helper = 1; helper < threads && helper < count; ++helper)
    helpers.emplace_back(work);
  work();
}

AnalysisResult analyze_unit(const Unit& unit, const AnalysisOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  AnalysisResult result = Engine(unit, options).run();
  result.stats.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

/// What several functions could say, with the findings of the unit that says it.
void merge_shared(std::vector<AnalysisResult>& units) {
  std::vector<ToldNeed> told;
  std::vector<SharedFinding> shared;
  for (AnalysisResult& unit : units) {
    std::ranges::move(unit.needs_told, std::back_inserter(told));
    std::ranges::move(unit.shared, std::back_inserter(shared));
    unit.shared.clear();
  }
  for (SharedFinding& one : said_once(std::move(shared), told))
    units[one.unit].findings.push_back(std::move(one.finding));
  for (AnalysisResult& unit : units) sort_findings(unit.findings);
}

}  // namespace

ProgramResult analyze_program(const std::vector<const Unit*>& units, const AnalysisOptions& options,
                              unsigned threads) {
  ProgramResult program;
  program.units.resize(units.size());
  const bool whole = is_whole_program(units);
  Rounds rounds(units.size());
  std::vector<SummarySet> told(units.size(),
                               options.others == nullptr ? SummarySet() : *options.others);
  const auto analyze = [&](std::size_t unit, const Inference* inference) {
    const double before = program.units[unit].stats.seconds;
    AnalysisOptions own = options;
    own.others = &told[unit];
    own.program = inference;
    own.whole_program = whole;
    own.unit = unit;
    program.units[unit] = analyze_unit(*units[unit], own);
    program.units[unit].stats.seconds += before;
  };
  const auto analyze_all = [&](const Inference* inference) {
    for_each(units.size(), threads, [&](std::size_t unit) {
      if (units[unit] != nullptr) analyze(unit, inference);
    });
  };
  analyze_all(nullptr);
  for (std::size_t unit = 0; unit < units.size(); ++unit)
    if (units[unit] != nullptr) rounds.put(unit, program.units[unit].summaries);
  for (;;) {
    const std::vector<Rounds::Again> again = rounds.next();
    if (again.empty()) break;
    program.analysed_again += again.size();
    for_each(again.size(), threads, [&](std::size_t index) {
      SummarySet known;
      known.add(again[index].others);
      told[again[index].unit] = std::move(known);
      analyze(again[index].unit, nullptr);
    });
    for (const Rounds::Again& one : again) rounds.put(one.unit, program.units[one.unit].summaries);
  }
  std::vector<std::vector<Inflow>> inflows(units.size());
  std::vector<std::set<ClassId>> moved(units.size());
  std::vector<Inference::Member> members(units.size());
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    inflows[unit] = std::move(program.units[unit].inflows);
    moved[unit] = std::move(program.units[unit].moved);
    members[unit] = {units[unit], &inflows[unit], &moved[unit]};
  }
  const Inference inference(std::move(members), whole);
  analyze_all(&inference);
  merge_shared(program.units);
  return program;
}

}  // namespace xfer::analyzer
