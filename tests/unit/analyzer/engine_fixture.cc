#include "unit/analyzer/engine_fixture.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/ASTUnit.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/ADT/SmallString.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace xfer::analyzer::testing {
namespace {

const ModelSet& models() {
  static const ModelSet set = [] {
    auto built = ModelSet::builtin();
    if (!built) {
      ADD_FAILURE() << llvm::toString(built.takeError());
      return ModelSet();
    }
    return std::move(*built);
  }();
  return set;
}

const std::string& mock() {
  static const std::string text = [] {
    std::ifstream in(XFER_MOCK_DIR "/torch.h");
    return std::string(std::istreambuf_iterator<char>(in), {});
  }();
  return text;
}

/// Where the parser met errors.
class Errors : public clang::DiagnosticConsumer {
 public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level < clang::DiagnosticsEngine::Error) return;
    places.push_back(info.getLocation());
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    messages += text.str().str() + "\n";
  }
  std::vector<clang::SourceLocation> places;
  std::string messages;
};

std::unique_ptr<clang::ASTUnit> parse(const std::string& code, Errors& errors) {
  // The mock counts as a system header, as the library's headers do.
  return clang::tooling::buildASTFromCodeWithArgs(
      "#include <torch.h>\n#line 1 \"input.cc\"\n" + code, {"-std=c++17", "-isystem", "/mock"},
      "input.cc", "xfer-test", std::make_shared<clang::PCHContainerOperations>(),
      clang::tooling::getClangStripDependencyFileAdjuster(), {{"/mock/torch.h", mock()}}, &errors);
}

/// "line: rule" of each finding, and of each mark in the code.
std::vector<std::string> found_in(const AnalysisResult& result) {
  std::vector<std::string> found;
  for (const Finding& finding : result.findings)
    found.push_back(std::to_string(finding.location.line) + ": " +
                    std::string(info(finding.rule).slug));
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> expected_in(const std::string& code) {
  std::vector<std::string> expected;
  std::istringstream lines(code);
  std::string line;
  for (unsigned number = 1; std::getline(lines, line); ++number) {
    const std::string mark = "// LINT: ";
    if (const std::size_t at = line.find(mark); at != std::string::npos)
      expected.push_back(std::to_string(number) + ": " + line.substr(at + mark.size()));
  }
  std::sort(expected.begin(), expected.end());
  return expected;
}

}  // namespace

AnalysisOptions copy_rules() {
  AnalysisOptions options;
  options.rules = {Rule::kMissingTransfer, Rule::kDiscardedTransfer, Rule::kRepeatedTransfer,
                   Rule::kTransferInLoop, Rule::kRoundTrip};
  return options;
}

AnalysisResult analyze_code(const std::string& code, const AnalysisOptions& options) {
  Errors errors;
  const auto unit = parse(code, errors);
  if (unit == nullptr || !errors.places.empty()) {
    ADD_FAILURE() << "the snippet does not parse: " << errors.messages << code;
    return {};
  }
  return analyze(unit->getASTContext(), models(), options);
}

void check_unparsed(const std::string& code, const std::set<Rule>& rules) {
  Errors errors;
  const auto unit = parse(code, errors);
  ASSERT_FALSE(errors.places.empty()) << "the snippet parses:\n" << code;
  AnalysisOptions options;
  options.rules = rules;
  options.read.errors = errors.places;
  const AnalysisResult result = analyze(unit->getASTContext(), models(), options);
  std::string messages;
  for (const Finding& finding : result.findings)
    messages += std::to_string(finding.location.line) + ": " + finding.message + "\n";
  EXPECT_EQ(found_in(result), expected_in(code)) << messages << code;
}

}  // namespace xfer::analyzer::testing
