#pragma once
// The engine's entry: one parsed translation unit in, findings out. No output, no suppression, no
// files: the front ends (driver/, tidy_module.cc) do that. Not thread-safe per ASTContext; two
// contexts may be analysed at the same time. Cost: about one per cent of the parse.

#include <set>
#include <string>
#include <vector>

#include "analyzer/facts/read_unit.h"
#include "analyzer/models/api_models.h"
#include "analyzer/program/handlings.h"
#include "analyzer/program/inflow.h"
#include "analyzer/program/shared_finding.h"
#include "analyzer/program/summary_set.h"
#include "analyzer/program/unknowns.h"
#include "xfer/rules/finding.h"

namespace clang {
class ASTContext;
}  // namespace clang

namespace xfer::analyzer {

class Inference;

struct AnalysisOptions {
  /// Rules to report; empty means every rule that the analyzer has a check for.
  std::set<Rule> rules;
  /// Counts why values became unknown (AnalysisStats::unknown).
  bool explain_unknown = false;
  ReadOptions read;
  /// Summaries of the other units; null: nothing is known of a function without a body.
  const SummarySet* others = nullptr;
  /// Where the whole program has things; null: not known yet.
  const Inference* program = nullptr;
  std::size_t unit = 0;        ///< which of the program's units this is
  bool whole_program = false;  ///< its start is among the units
};

struct AnalysisStats {
  unsigned functions = 0;
  unsigned blocks = 0;
  unsigned skipped = 0;  ///< functions over the block cap, or without a usable CFG
  OperandCount operands;
  Unknowns unknown;    ///< by reason; if asked for
  double seconds = 0;  ///< CFG, facts, flow and checks; the parse is not in it
};

struct AnalysisResult {
  /// In order of location; files are named as Clang names them (the driver makes them relative).
  std::vector<Finding> findings;
  AnalysisStats stats;
  UnitSummaries summaries;          ///< for the other units
  std::vector<Inflow> inflows;      ///< for the whole program
  std::vector<Handling> handlings;  ///< likewise
  std::set<ClassId> moved;          ///< modules' classes
  std::vector<SharedFinding> shared;
  std::vector<ToldNeed> needs_told;
  /// Annotations that are not understood.
  std::vector<Note> faults;
};

AnalysisResult analyze(clang::ASTContext& context, const ModelSet& models,
                       const AnalysisOptions& options = {});

/// The rules that the engine has a check for.
const std::vector<Rule>& analyzer_rules();

}  // namespace xfer::analyzer
