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

  /// Until no unit's summaries say anything new to another.
  void tell_each_other() {
    const auto analyze_again = [&](std::size_t unit) {
      const double before = result_.units[unit].stats.seconds;
      result_.units[unit] = analyze(unit, nullptr, told_[unit]);
      result_.units[unit].stats.seconds += before;
    };
    for_each(units_.size(), threads_, [&](std::size_t unit) {
      if (units_[unit] != nullptr) analyze_again(unit);
    });
    for (std::size_t unit = 0; unit < units_.size(); ++unit)
      if (units_[unit] != nullptr) rounds_.put(unit, result_.units[unit].summaries);
    for (;;) {
      const std::vector<Rounds::Again> again = rounds_.next();
      if (again.empty()) break;
      result_.analysed_again += again.size();
      for_each(again.size(), threads_, [&](std::size_t index) {
        SummarySet known;
        known.add(again[index].others);
        told_[again[index].unit] = std::move(known);
        analyze_again(again[index].unit);
      });
      for (const Rounds::Again& one : again)
        rounds_.put(one.unit, result_.units[one.unit].summaries);
    }
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
    const Inference inference(std::move(members), one_of_many ? lacks_of_program(parts) : lacks_);
    std::map<std::size_t, AnalysisResult> judged = judge_units(program, inference);
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

  /// Until no unit's summaries say anything new to another: what a function needs beside what the
  /// program has, its callers learn.
  std::map<std::size_t, AnalysisResult> judge_units(const Program& program,
                                                    const Inference& inference) {
    std::map<std::size_t, AnalysisResult> judged;
    for (const std::size_t unit : program) judged[unit];
    Rounds rounds = rounds_;
    const auto judge_again = [&](std::size_t unit, const SummarySet& told) {
      const double before = judged[unit].stats.seconds;
      judged[unit] = analyze(unit, &inference, told);
      judged[unit].stats.seconds += before;
    };
    for_each(program.size(), threads_,
             [&](std::size_t index) { judge_again(program[index], told_[program[index]]); });
    for (const std::size_t unit : program) rounds.put(unit, judged[unit].summaries);
    for (;;) {
      std::vector<Rounds::Again> again = rounds.next();
      if (again.empty()) return judged;
      std::erase_if(again, [&](const Rounds::Again& one) { return !judged.contains(one.unit); });
      result_.analysed_again += again.size();
      for_each(again.size(), threads_, [&](std::size_t index) {
        SummarySet known;
        known.add(again[index].others);
        judge_again(again[index].unit, known);
      });
      for (const Rounds::Again& one : again) rounds.put(one.unit, judged[one.unit].summaries);
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
  Rounds rounds_;
  ProgramResult result_;
};

}  // namespace

ProgramResult analyze_program(const std::vector<const Unit*>& units, const AnalysisOptions& options,
                              unsigned threads) {
  return Analysis(units, options, threads).run();
}

}  // namespace xfer::analyzer
