// The clang-tidy plug-in says what xferlint says.

#include <gmock/gmock.h>

#include <regex>

#include "program.h"

namespace xfer::lint {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class LintTidy : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string(XFER_CLANG_TIDY).empty()) GTEST_SKIP() << "no clang-tidy-22";
  }

  Outcome tidy(std::vector<std::string> arguments, const std::string& checks = "-*,xfer-*") {
    std::vector<std::string> command = {
        XFER_CLANG_TIDY, "--load", XFER_TIDY_PLUGIN, "--checks=" + checks, "-p",
        "build",         "--quiet"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run({command, {}, project_.path().string(), ""});
  }

  /// "rule file:line" of each warning.
  std::vector<std::string> warnings(const std::string& text) {
    static const std::regex kWarning(R"(/([^/\s]+):(\d+):\d+: warning: .*\[xfer-([a-z-]+)\])");
    std::vector<std::string> result;
    for (std::sregex_iterator match(text.begin(), text.end(), kWarning), end; match != end; ++match)
      result.push_back((*match)[3].str() + " " + (*match)[1].str() + ":" + (*match)[2].str());
    return result;
  }

  Project project_;
};

TEST_F(LintTidy, ReportsTheSameFindings) {
  project_.write("a.cc", std::string(kDiscard) +
                             "void g() {\n"
                             "  auto a = torch::ones(3);\n"
                             "  auto b = torch::ones(3, torch::kCUDA);\n"
                             "  auto c = a + b;\n"
                             "  b.cpu();  // NOLINT(xfer-discarded-transfer)\n"
                             "}\n");
  project_.database({"a.cc"});
  const Outcome outcome = tidy({"a.cc"});
  const auto expected = places(project_.findings());
  EXPECT_THAT(expected, testing::Contains("discarded-transfer a.cc:3"));
  EXPECT_THAT(warnings(outcome.out), testing::UnorderedElementsAreArray(expected))
      << outcome.out << outcome.err;
}

TEST_F(LintTidy, ChecksAreChosen) {
  project_.write("a.cc", kDiscard);
  project_.database({"a.cc"});
  EXPECT_THAT(warnings(tidy({"a.cc"}, "-*,xfer-round-trip").out), testing::IsEmpty());
  EXPECT_THAT(warnings(tidy({"a.cc"}, "-*,xfer-discarded-transfer").out),
              ElementsAre("discarded-transfer a.cc:3"));
}

TEST_F(LintTidy, AdviceIsSaidWhenItIsAskedFor) {
  project_.write("a.cc",
                 "#include <torch/torch.h>\n"
                 "torch::Tensor make() {\n"
                 "  return torch::ones(3).to(torch::kCUDA);\n"
                 "}\n");
  project_.database({"a.cc"});
  ASSERT_THAT(places(project_.findings({"--checks", "*"})), ElementsAre("create-on-host a.cc:3"));
  for (const char* all : {"-*,xfer-*", "*", "-*,xfer-*,-xfer-round-trip", "-*,xfer-round-trip"})
    EXPECT_THAT(warnings(tidy({"a.cc"}, all).out), testing::IsEmpty()) << all;
  for (const char* named : {"-*,xfer-create-on-host", "-*,xfer-*,xfer-create-on-host",
                            "-*,\n xfer-*,\n xfer-create-*", "xfer-*-on-host"})
    EXPECT_THAT(warnings(tidy({"a.cc"}, named).out), ElementsAre("create-on-host a.cc:3")) << named;
  EXPECT_THAT(warnings(tidy({"--config={CheckOptions: {XferAdvice: true}}", "a.cc"}).out),
              ElementsAre("create-on-host a.cc:3"));
}

TEST_F(LintTidy, SeveralFilesInOneRun) {
  project_.write("a.cc", kDiscard);
  project_.write("b.cc", kClean);
  project_.write("c.cc", std::string("\n") + kDiscard);
  project_.database({"a.cc", "b.cc", "c.cc"});
  EXPECT_THAT(warnings(tidy({"a.cc", "b.cc", "c.cc"}).out),
              ElementsAre("discarded-transfer a.cc:3", "discarded-transfer c.cc:4"));
}

TEST_F(LintTidy, SaysNothingOfAUnitThatDoesNotParse) {
  project_.write("a.cc", std::string("#include \"not_there.h\"\n") + kDiscard);
  project_.database({"a.cc"});
  const Outcome outcome = tidy({"a.cc"});
  EXPECT_THAT(outcome.out, HasSubstr("'not_there.h' file not found"));
  EXPECT_THAT(warnings(outcome.out), testing::IsEmpty());
}

TEST_F(LintTidy, AppliesFixes) {
  project_.write("a.cc", kDiscardThenUse);
  project_.database({"a.cc"});
  tidy({"--fix", "a.cc"});
  EXPECT_THAT(project_.read("a.cc"), HasSubstr("x = x.to(torch::kCUDA);"));
  EXPECT_THAT(warnings(tidy({"a.cc"}).out), testing::IsEmpty());
}

TEST_F(LintTidy, AFaultyModelFileIsSaid) {
  project_.write("a.cc", kClean);
  project_.database({"a.cc"});
  const Outcome outcome = tidy({"--config={CheckOptions: {XferModels: none.yaml}}", "a.cc"});
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("none.yaml"));
}

}  // namespace
}  // namespace xfer::lint
