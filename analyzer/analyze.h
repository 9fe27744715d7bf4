#pragma once
// The engine's entry: one parsed translation unit in, findings out. No output, no suppression, no
// files: the front ends (driver/, tidy_module.cc) do that. Not thread-safe per ASTContext; two
// contexts may be analysed at the same time. Cost: about one per cent of the parse.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/api_models.h"
#include "xfer/rules/finding.h"

namespace clang {
class ASTContext;
class FunctionDecl;
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
};

struct AnalysisStats {
  unsigned functions = 0;
  unsigned blocks = 0;
  unsigned skipped = 0;  ///< functions over the block cap, or without a usable CFG
  std::map<std::string, unsigned> unknown;  ///< reason -> how often
  double seconds = 0;  ///< CFG, facts, flow and checks; the parse is not in it
};

struct AnalysisResult {
  /// In order of location; files are named as Clang names them (the driver makes them relative).
  std::vector<Finding> findings;
  AnalysisStats stats;
};

AnalysisResult analyze(clang::ASTContext& context, const ModelSet& models,
                       const AnalysisOptions& options = {});

/// The rules that the engine has a check for.
const std::vector<Rule>& analyzer_rules();

/// What --check-models prints: one text per name in a model row that this unit declares nowhere,
/// for the libraries of which it declares anything.
std::vector<std::string> unmatched_models(clang::ASTContext& context, const ModelSet& models);

}  // namespace xfer::analyzer
