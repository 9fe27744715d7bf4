#include "analyzer/analyze_program.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <iterator>
#include <map>
#include <thread>

#include "analyzer/engine.h"
#include "analyzer/program/inference.h"
#include "analyzer/program/programs.h"
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

class Analysis {
 public:
  Analysis(const std::vector<const Unit*>& units, const AnalysisOptions& options, unsigned threads)
      : units_(units),
        options_(options),
        threads_(threads),
        lacks_(lacks_of_program(units)),
        told_(units.size(), options.others == nullptr ? SummarySet() : *options.others),
        rounds_(units.size()) {
    result_.units.resize(units.size());
  }

  ProgramResult run() {
    tell_each_other();
    const std::vector<Program> programs = programs_of(units_);
    for (const Program& program : programs) judge(program, programs.size() > 1);
    for (AnalysisResult& unit : result_.units) sort_findings(unit.findings);
    return std::move(result_);
  }

 private:
  AnalysisResult analyze(std::size_t unit, const Inference* program, const SummarySet& told) const {
    AnalysisOptions own = options_;
    own.others = &told;
    own.program = program;
    own.whole_program = lacks_.empty();
    own.unit = unit;
    return analyze_unit(*units_[unit], own);
  }

  void tell_each_other() {
    std::vector<std::size_t> all;
    for (std::size_t unit = 0; unit < units_.size(); ++unit)
      if (units_[unit] != nullptr) all.push_back(unit);
    for (auto& [unit, result] : in_rounds(all, rounds_, nullptr))
      result_.units[unit] = std::move(result);
    for (AnalysisResult& unit : result_.units) {
      unit.findings.clear();
      unit.shared.clear();
      unit.needs_told.clear();
    }
  }

  /// What the units of a program do, with all known that it hands from one to another.
  void judge(const Program& program, bool one_of_many) {
    std::vector<Inference::Member> members(units_.size());
    std::vector<const Unit*> parts;
    for (const std::size_t unit : program) {
      members[unit] = {units_[unit], &result_.units[unit].inflows, &result_.units[unit].moved};
      parts.push_back(units_[unit]);
    }
    const Inference inference(std::move(members), one_of_many ? lacks_of_started(parts) : lacks_);
    Rounds rounds = rounds_.of(program);
    std::map<std::size_t, AnalysisResult> judged = in_rounds(program, rounds, &inference);
    std::vector<ToldNeed> told;
    std::vector<SharedFinding> shared;
    for (auto& [unit, result] : judged) {
      std::ranges::move(result.needs_told, std::back_inserter(told));
      std::ranges::move(result.shared, std::back_inserter(shared));
      keep(result_.units[unit], std::move(result));
    }
    for (SharedFinding& one : said_once(std::move(shared), told))
      result_.units[one.unit].findings.push_back(std::move(one.finding));
  }

  /// Analyses the units, and those again that the summaries of others tell something new, until
  /// there are none. With the program known summaries say as well what a function needs beside it.
  std::map<std::size_t, AnalysisResult> in_rounds(const std::vector<std::size_t>& units,
                                                  Rounds& rounds, const Inference* program) {
    std::map<std::size_t, AnalysisResult> results;
    for (const std::size_t unit : units) results[unit];
    const auto analyze_again = [&](std::size_t unit, const SummarySet& told) {
      AnalysisResult& result = results.at(unit);
      const double before = result.stats.seconds;
      result = analyze(unit, program, told);
      result.stats.seconds += before;
    };
    for_each(units.size(), threads_,
             [&](std::size_t index) { analyze_again(units[index], told_[units[index]]); });
    for (const auto& [unit, result] : results) rounds.put(unit, result.summaries);
    for (;;) {
      std::vector<Rounds::Again> again = rounds.next();
      if (again.empty()) return results;
      std::erase_if(again, [&](const Rounds::Again& one) { return !results.contains(one.unit); });
      result_.analysed_again += again.size();
      for_each(again.size(), threads_, [&](std::size_t index) {
        const std::size_t unit = again[index].unit;
        SummarySet known;
        known.add(again[index].others);
        analyze_again(unit, known);
        if (program == nullptr) told_[unit] = std::move(known);
      });
      for (const Rounds::Again& one : again) rounds.put(one.unit, results.at(one.unit).summaries);
    }
  }

  static void keep(AnalysisResult& all, AnalysisResult judged) {
    std::ranges::move(judged.findings, std::back_inserter(all.findings));
    all.faults = std::move(judged.faults);
    const double seconds = all.stats.seconds + judged.stats.seconds;
    const OperandCount known = std::max(all.stats.operands, judged.stats.operands);
    all.stats = std::move(judged.stats);
    all.stats.seconds = seconds;
    all.stats.operands = known;
  }

  const std::vector<const Unit*>& units_;
  const AnalysisOptions& options_;
  const unsigned threads_;
  const std::string lacks_;  ///< of the whole program; empty: nothing
  std::vector<SummarySet> told_;
  Rounds rounds_;  ///< as they end without a program
  ProgramResult result_;
};

}  // namespace

ProgramResult analyze_program(const std::vector<const Unit*>& units, const AnalysisOptions& options,
                              unsigned threads) {
  return Analysis(units, options, threads).run();
}

}  // namespace xfer::analyzer
