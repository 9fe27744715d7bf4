#include "analyzer/analyze.h"

#include <chrono>

#include "analyzer/analyze_program.h"
#include "analyzer/checks/check.h"
#include "analyzer/facts/read_unit.h"

namespace xfer::analyzer {

AnalysisResult analyze(clang::ASTContext& context, const ModelSet& models,
                       const AnalysisOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const Unit unit = read_unit(context, models, options.read);
  AnalysisResult result = std::move(analyze_program({&unit}, options, 1).units.front());
  result.stats.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

const std::vector<Rule>& analyzer_rules() {
  static const std::vector<Rule> rules = [] {
    std::vector<Rule> all;
    for (const Check& check : checks()) all.push_back(check.rule);
    return all;
  }();
  return rules;
}

}  // namespace xfer::analyzer
