#pragma once
// Code in, findings out: a snippet is parsed with the mock of LibTorch's headers (mock/torch.h),
// and what the engine reports is compared with the comments in it: `// expect: rule` at the end of
// a line means exactly that finding on that line; lines without one must be silent.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "analyzer/analyze.h"

namespace xfer::analyzer::testing {

/// The rules about operands and copies, which most snippets are about.
AnalysisOptions copy_rules();

/// Findings of `code`; a parse error fails the test.
AnalysisResult analyze_code(const std::string& code, const AnalysisOptions& options = copy_rules());

/// Findings of code that does not parse.
AnalysisResult analyze_unparsed(const std::string& code, AnalysisOptions options);

/// "line: rule" of every finding, and of every expectation in the code.
std::vector<std::string> found_in(const AnalysisResult& result);
std::vector<std::string> expected_in(const std::string& code);

/// Compares the two, for some rules.
void check(const std::string& code, const std::set<Rule>& rules = copy_rules().rules);

/// The same for code that uses the CUDA runtime, as mock/cuda.h declares it.
void check_cuda(const std::string& code, const std::set<Rule>& rules);

/// The same for code that does not parse.
void check_unparsed(const std::string& code, const std::set<Rule>& rules = copy_rules().rules);

/// The same for the units of a program, which are told about each other until nobody learns
/// anything.
void check_units(const std::vector<std::string>& units,
                 const std::set<Rule>& rules = copy_rules().rules);

/// The same for units that are linted together.
void check_program(const std::vector<std::string>& units,
                   const std::set<Rule>& rules = copy_rules().rules);

}  // namespace xfer::analyzer::testing
