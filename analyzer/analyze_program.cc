#include "analyzer/analyze_program.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "analyzer/engine.h"
#include "analyzer/program/rounds.h"

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

AnalysisResult analyze_unit(const Unit& unit, AnalysisOptions options, const SummarySet& others) {
  const auto start = std::chrono::steady_clock::now();
  options.others = &others;
  AnalysisResult result = Engine(unit, options).run();
  result.stats.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace

ProgramResult analyze_program(const std::vector<const Unit*>& units, const AnalysisOptions& options,
                              unsigned threads) {
  ProgramResult program;
  program.units.resize(units.size());
  Rounds rounds(units.size());
  const auto analyze = [&](std::size_t unit, const SummarySet& others) {
    const double before = program.units[unit].stats.seconds;
    program.units[unit] = analyze_unit(*units[unit], options, others);
    program.units[unit].stats.seconds += before;
  };
  const SummarySet nothing;
  for_each(units.size(), threads, [&](std::size_t unit) {
    if (units[unit] != nullptr) analyze(unit, nothing);
  });
  for (std::size_t unit = 0; unit < units.size(); ++unit)
    if (units[unit] != nullptr) rounds.put(unit, program.units[unit].summaries);
  for (;;) {
    const std::vector<Rounds::Again> again = rounds.next();
    if (again.empty()) return program;
    program.analysed_again += again.size();
    for_each(again.size(), threads, [&](std::size_t index) {
      SummarySet told;
      told.add(again[index].others);
      analyze(again[index].unit, told);
    });
    for (const Rounds::Again& one : again) rounds.put(one.unit, program.units[one.unit].summaries);
  }
}

}  // namespace xfer::analyzer
