#pragma once
// Code in, findings out, for what a file that xferlint lints cannot show: a snippet is parsed with
// the mock of LibTorch's headers (mock/torch.h). Which code has findings is asked of the cases in
// tests/cases/rules.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "analyzer/analyze.h"

namespace xfer::analyzer::testing {

/// The rules about operands and copies, which most snippets are about.
AnalysisOptions copy_rules();

/// Findings of `code`; a parse error fails the test.
AnalysisResult analyze_code(const std::string& code, const AnalysisOptions& options = copy_rules());

/// Compares the findings of code that does not parse, for some rules, with the comments in it:
/// `// LINT: rule` at the end of a line means exactly that finding there, as in the cases.
void check_unparsed(const std::string& code, const std::set<Rule>& rules = copy_rules().rules);

}  // namespace xfer::analyzer::testing
