#include "analyzer/analyze_program.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <iterator>
#include <map>
#include <thread>

#include "analyzer/program/inference.h"
#include "analyzer/program/programs.h"
#include "analyzer/program/rounds.h"
#include "analyzer/program/whole_program.h"
#include "analyzer/unit_analysis.h"

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
  AnalysisResult result = UnitAnalysis(unit, options).run();
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
        told_first_(options.others == nullptr ? SummarySet() : *options.others),
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

  using Results = std::map<std::size_t, AnalysisResult>;
  using Told = std::map<std::size_t, SummarySet>;  ///< what others told a unit last

  void tell_each_other() {
    std::vector<std::size_t> all;
    for (std::size_t unit = 0; unit < units_.size(); ++unit)
      if (units_[unit] != nullptr) all.push_back(unit);
    Results results = analyze_all(all, nullptr, told_);
    for (const auto& [unit, result] : results) rounds_.put(unit, result.summaries);
    settle(rounds_, nullptr, results, told_);
    for (auto& [unit, result] : results) result_.units[unit] = std::move(result);
    for (AnalysisResult& unit : result_.units) {
      unit.findings.clear();
      unit.shared.clear();
      unit.needs_told.clear();
    }
  }

  /// Judges the units of a program, with everything known that it hands from one to another.
  void judge(const Program& program, bool one_of_many) {
    // Where several programs define functions of one name, each has its own.
    Rounds rounds = rounds_.of(program);
    Results of_program;
    Told told;
    for (const std::size_t unit : program) told.emplace(unit, told_to(unit, told_));
    settle(rounds, nullptr, of_program, told);
    std::vector<Inference::Member> members(units_.size());
    std::vector<const Unit*> parts;
    for (const std::size_t unit : program) {
      const auto own = of_program.find(unit);
      const AnalysisResult& known = own == of_program.end() ? result_.units[unit] : own->second;
      members[unit] = {units_[unit], &known.inflows, &known.handlings, &known.moved};
      parts.push_back(units_[unit]);
    }
    const Inference inference(std::move(members), one_of_many ? lacks_of_started(parts) : lacks_);
    rounds = rounds.of(program);
    Results judged = analyze_all(program, &inference, told);
    for (const auto& [unit, result] : judged) rounds.put(unit, result.summaries);
    settle(rounds, &inference, judged, told);
    std::vector<ToldNeed> needs_told;
    std::vector<SharedFinding> shared;
    for (auto& [unit, result] : judged) {
      std::ranges::move(result.needs_told, std::back_inserter(needs_told));
      std::ranges::move(result.shared, std::back_inserter(shared));
      keep(result_.units[unit], std::move(result));
    }
    for (SharedFinding& one : said_once(std::move(shared), needs_told))
      result_.units[one.unit].findings.push_back(std::move(one.finding));
  }

  Results analyze_all(const std::vector<std::size_t>& units, const Inference* program,
                      const Told& told) const {
    Results results;
    for (const std::size_t unit : units) results[unit];
    for_each(units.size(), threads_, [&](std::size_t index) {
      const std::size_t unit = units[index];
      results.at(unit) = analyze(unit, program, told_to(unit, told));
    });
    return results;
  }

  /// Analyses again the units that the summaries of others tell something new, until there are
  /// none. With the program known summaries say as well what a function needs beside it.
  void settle(Rounds& rounds, const Inference* program, Results& results, Told& told) {
    for (;;) {
      const std::vector<Rounds::Again> again = rounds.next();
      if (again.empty()) return;
      result_.analysed_again += again.size();
      for (const Rounds::Again& one : again) {
        results[one.unit];
        SummarySet& known = told[one.unit];
        known = SummarySet();
        known.add(one.others);
      }
      for_each(again.size(), threads_, [&](std::size_t index) {
        const std::size_t unit = again[index].unit;
        AnalysisResult& result = results.at(unit);
        const double before = result.stats.seconds;
        result = analyze(unit, program, told.at(unit));
        result.stats.seconds += before;
      });
      for (const Rounds::Again& one : again) rounds.put(one.unit, results.at(one.unit).summaries);
    }
  }

  const SummarySet& told_to(std::size_t unit, const Told& told) const {
    const auto own = told.find(unit);
    return own == told.end() ? told_first_ : own->second;
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
  const std::string lacks_;      ///< of the whole program; empty: nothing
  const SummarySet told_first_;  ///< what is known of others before any unit is analysed
  Told told_;
  Rounds rounds_;  ///< as they end without a program
  ProgramResult result_;
};

}  // namespace

ProgramResult analyze_program(const std::vector<const Unit*>& units, const AnalysisOptions& options,
                              unsigned threads) {
  return Analysis(units, options, threads).run();
}

}  // namespace xfer::analyzer
