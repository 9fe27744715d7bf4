#pragma once
// The engine's entry: one parsed translation unit in, findings out. No output, no suppression, no
// files: the front ends (driver/, tidy_module.cc) do that. Not thread-safe per ASTContext; two
// contexts may be analysed at the same time. Cost: about one per cent of the parse.

#include <clang/Basic/SourceLocation.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/api_models.h"
#include "analyzer/summary_set.h"
#include "analyzer/unknowns.h"
#include "xfer/rules/finding.h"

namespace clang {
class ASTContext;
class FunctionDecl;
class Preprocessor;
}  // namespace clang

namespace xfer::analyzer {

struct AnalysisOptions {
  /// Rules to report; empty means every rule that the analyzer has a check for.
  std::set<Rule> rules;
  /// Counts why values became unknown (AnalysisStats::unknown).
  bool explain_unknown = false;
  /// A function with more CFG blocks than this is skipped and counted.
  unsigned block_cap = 3000;
  /// Functions to report in, besides the rule that system headers are never analysed. Empty: all.
  std::function<bool(const clang::FunctionDecl&)> scope;
  /// Where the parse met errors: of the statements there it is not known what they do.
  std::vector<clang::SourceLocation> errors;
  /// Where the project lies: what units tell each other names files from there.
  std::string root;
  /// What other units said; null: nothing is known of a function without a body.
  const SummarySet* others = nullptr;
};

struct AnalysisStats {
  unsigned functions = 0;
  unsigned blocks = 0;
  unsigned skipped = 0;  ///< functions over the block cap, or without a usable CFG
  Unknowns unknown;      ///< by reason; if asked for
  double seconds = 0;    ///< CFG, facts, flow and checks; the parse is not in it
};

struct AnalysisResult {
  /// In order of location; files are named as Clang names them (the driver makes them relative).
  std::vector<Finding> findings;
  AnalysisStats stats;
  UnitSummaries summaries;  ///< for the other units
  /// Annotations that are not understood.
  std::vector<Note> faults;
};

/// False of CUDA's device functions and kernels, which are not analysed.
bool runs_on_host(const clang::FunctionDecl& function);

AnalysisResult analyze(clang::ASTContext& context, const ModelSet& models,
                       const AnalysisOptions& options = {});

/// The rules that the engine has a check for.
const std::vector<Rule>& analyzer_rules();

/// The model rows against what a unit declares, for the libraries of which it includes a header.
struct ModelCheck {
  std::vector<std::string> unmatched;  ///< one text per name or class of a row that is nowhere
  std::vector<std::string> unchecked;  ///< one text per row whose own header was not included
  std::vector<std::string> libraries;  ///< which were checked, with their versions
};
ModelCheck check_models(clang::Preprocessor& preprocessor, clang::ASTContext& context,
                        const ModelSet& models);

}  // namespace xfer::analyzer
