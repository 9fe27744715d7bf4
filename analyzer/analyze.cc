#include "analyzer/analyze.h"

#include <clang/AST/ASTContext.h>

namespace xfer::analyzer {

AnalysisResult analyze(clang::ASTContext&, const ModelSet&, const AnalysisOptions&) { return {}; }

const std::vector<Rule>& analyzer_rules() {
  static const std::vector<Rule> rules = {Rule::kMissingTransfer, Rule::kDiscardedTransfer,
                                          Rule::kRepeatedTransfer, Rule::kTransferInLoop,
                                          Rule::kRoundTrip};
  return rules;
}

std::vector<std::string> unmatched_models(clang::ASTContext&, const ModelSet&) { return {}; }

}  // namespace xfer::analyzer
