#include "unit/analyzer/engine_fixture.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/ASTUnit.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/ADT/SmallString.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "analyzer/analyze_program.h"

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

/// One of the headers in mock/.
const std::string& mock(const std::string& header) {
  static std::map<std::string, std::string> texts;
  const auto [text, added] = texts.try_emplace(header);
  if (added) {
    std::ifstream in(XFER_MOCK_DIR "/" + header);
    text->second.assign(std::istreambuf_iterator<char>(in), {});
  }
  return text->second;
}

}  // namespace

AnalysisOptions copy_rules() {
  AnalysisOptions options;
  options.rules = {Rule::kMissingTransfer, Rule::kDiscardedTransfer, Rule::kRepeatedTransfer,
                   Rule::kTransferInLoop, Rule::kRoundTrip};
  return options;
}

namespace {

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

std::unique_ptr<clang::ASTUnit> parse(const std::string& code, Errors& errors, bool cuda = false) {
  // The mock counts as a system header, as the library's headers do.
  const std::string header = cuda ? "cuda.h" : "torch.h";
  std::vector<std::string> arguments = {"-std=c++17", "-isystem", "/mock"};
  if (cuda)
    arguments.insert(arguments.end(),
                     {"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib"});
  return clang::tooling::buildASTFromCodeWithArgs(
      "#include <" + header + ">\n#line 1 \"input.cc\"\n" + code, arguments, "input.cc",
      "xfer-test", std::make_shared<clang::PCHContainerOperations>(),
      clang::tooling::getClangStripDependencyFileAdjuster(), {{"/mock/" + header, mock(header)}},
      &errors);
}

}  // namespace

namespace {

AnalysisResult analyze_parsed(const std::string& code, const AnalysisOptions& options, bool cuda) {
  Errors errors;
  const auto unit = parse(code, errors, cuda);
  if (unit == nullptr || !errors.places.empty()) {
    ADD_FAILURE() << "the snippet does not parse: " << errors.messages << code;
    return {};
  }
  return analyze(unit->getASTContext(), models(), options);
}

}  // namespace

AnalysisResult analyze_code(const std::string& code, const AnalysisOptions& options) {
  return analyze_parsed(code, options, false);
}

AnalysisResult analyze_unparsed(const std::string& code, AnalysisOptions options) {
  Errors errors;
  const auto unit = parse(code, errors);
  EXPECT_FALSE(errors.places.empty()) << "the snippet parses:\n" << code;
  options.read.errors = errors.places;
  return analyze(unit->getASTContext(), models(), options);
}

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
    const std::string mark = "// expect: ";
    const std::size_t at = line.find(mark);
    if (at == std::string::npos) continue;
    std::istringstream rules(line.substr(at + mark.size()));
    for (std::string rule; rules >> rule;) expected.push_back(std::to_string(number) + ": " + rule);
  }
  std::sort(expected.begin(), expected.end());
  return expected;
}

namespace {

AnalysisOptions only(const std::set<Rule>& rules) {
  AnalysisOptions options;
  options.rules = rules;
  return options;
}

void compare(const std::string& code, const AnalysisResult& result) {
  std::string messages;
  for (const Finding& finding : result.findings)
    messages += std::to_string(finding.location.line) + ": " + finding.message + "\n";
  EXPECT_EQ(found_in(result), expected_in(code)) << messages << code;
}

}  // namespace

void check(const std::string& code, const std::set<Rule>& rules) {
  compare(code, analyze_code(code, only(rules)));
}

void check_cuda(const std::string& code, const std::set<Rule>& rules) {
  compare(code, analyze_parsed(code, only(rules), true));
}

void check_unparsed(const std::string& code, const std::set<Rule>& rules) {
  compare(code, analyze_unparsed(code, only(rules)));
}

void check_units(const std::vector<std::string>& units, const std::set<Rule>& rules) {
  std::vector<AnalysisResult> results(units.size());
  for (unsigned round = 0; round < 4; ++round) {
    SummarySet known;
    for (const AnalysisResult& result : results) known.add(result.summaries);
    AnalysisOptions options;
    options.rules = rules;
    options.others = &known;
    for (std::size_t unit = 0; unit < units.size(); ++unit)
      results[unit] = analyze_code(units[unit], options);
  }
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    std::string messages;
    for (const Finding& finding : results[unit].findings)
      messages += std::to_string(finding.location.line) + ": " + finding.message + "\n";
    EXPECT_EQ(found_in(results[unit]), expected_in(units[unit])) << messages << units[unit];
  }
}

void check_program(const std::vector<std::string>& units, const std::set<Rule>& rules) {
  std::vector<Unit> read;
  for (const std::string& code : units) {
    Errors errors;
    const auto unit = parse(code, errors);
    ASSERT_TRUE(unit != nullptr && errors.places.empty()) << errors.messages << code;
    read.push_back(read_unit(unit->getASTContext(), models(), {}));
  }
  std::vector<const Unit*> program;
  for (const Unit& unit : read) program.push_back(&unit);
  const ProgramResult result = analyze_program(program, only(rules), 1);
  for (std::size_t unit = 0; unit < units.size(); ++unit) compare(units[unit], result.units[unit]);
}

}  // namespace xfer::analyzer::testing
