// --baseline, --write-baseline, --diff-only, --fix and --profile.

#include <gmock/gmock.h>
#include <unistd.h>

#include "program.h"

namespace xfer::lint {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LintFilters : public testing::Test {
 protected:
  LintFilters() {
    project_.write("a.cc", kDiscard);
    project_.database({"a.cc"});
  }

  Project project_;
};

TEST_F(LintFilters, ABaselineHidesWhatItListsAndNothingElse) {
  project_.lint({"-p", "build", "--write-baseline", "base.json"});
  EXPECT_EQ(project_.lint({"-p", "build", "--baseline", "base.json"}).exit_code, 0);
  // An edit above does not bring the finding back; a new one is reported.
  project_.write("a.cc", "// a new line\n" + std::string(kDiscard) +
                             "void g(torch::Tensor y) { y.cuda(); }\n");
  EXPECT_THAT(places(project_.findings({"--baseline", "base.json"})),
              ElementsAre("discarded-transfer a.cc:6"));
}

TEST_F(LintFilters, EntriesThatAreGoneAreSaid) {
  project_.lint({"-p", "build", "--write-baseline", "base.json"});
  project_.write("a.cc", kClean);
  const Outcome outcome = project_.lint({"-p", "build", "--baseline", "base.json"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("a.cc: discarded-transfer is gone"));
}

TEST_F(LintFilters, DiffOnlyAgainstARevision) {
  project_.write(".gitignore", "build\ncache\n");
  project_.git({"init", "-q"});
  project_.git({"add", "a.cc", ".gitignore"});
  project_.git({"commit", "-qm", "x"});
  EXPECT_THAT(places(project_.findings({"--diff-only", "HEAD"})), IsEmpty());
  project_.write("a.cc", std::string(kDiscard) + "void g(torch::Tensor y) { y.cuda(); }\n");
  project_.write("new.cc", kDiscard);
  project_.database({"a.cc", "new.cc"});
  EXPECT_THAT(places(project_.findings({"--diff-only", "HEAD"})),
              ElementsAre("discarded-transfer a.cc:5", "discarded-transfer new.cc:3"));
}

TEST_F(LintFilters, DiffOnlyFromAPatch) {
  const Outcome hit = project_.lint({"-p", "build", "--diff-only", "-"},
                                    "--- a/a.cc\n+++ b/a.cc\n@@ -3 +3 @@\n-x\n+y\n");
  EXPECT_EQ(hit.exit_code, 1);
  const Outcome miss = project_.lint({"-p", "build", "--diff-only", "-"},
                                     "--- a/a.cc\n+++ b/a.cc\n@@ -1 +1 @@\n-x\n+y\n");
  EXPECT_EQ(miss.exit_code, 0);
}

TEST_F(LintFilters, FixesMakeTheFindingGoAway) {
  project_.write("a.cc", kDiscardThenUse);
  const Outcome outcome = project_.lint({"-p", "build", "--fix"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("1 of 1 findings fixed"));
  EXPECT_THAT(project_.read("a.cc"), HasSubstr("x = x.to(torch::kCUDA);"));
  EXPECT_EQ(project_.lint({"-p", "build"}).exit_code, 0);
}

TEST_F(LintFilters, AReportOfARunWithFixesShowsTheFileAsItWas) {
  const std::string twice =
      "#include <torch/torch.h>\n"
      "torch::Tensor move(torch::Tensor x) {\n"
      "  x.to(torch::kCUDA);\n"
      "  return x;\n"
      "}\n";
  project_.write("a.cc", twice);
  const Outcome text = project_.lint({"-p", "build", "--fix"});
  EXPECT_THAT(project_.read("a.cc"), HasSubstr("x = x.to(torch::kCUDA);")) << "it is fixed";
  EXPECT_THAT(text.out, HasSubstr("3 |   x.to(torch::kCUDA);"));
  EXPECT_THAT(text.out, testing::Not(HasSubstr("x = x.to(torch::kCUDA);\n")));
  project_.write("a.cc", twice);
  const Outcome sarif = project_.lint({"-p", "build", "--fix", "--format", "sarif"});
  const nlohmann::json result =
      nlohmann::json::parse(sarif.out).at("runs").at(0).at("results").at(0);
  EXPECT_EQ(
      result.at("locations").at(0).at("physicalLocation").at("region").at("snippet").at("text"),
      "  x.to(torch::kCUDA);");
}

TEST_F(LintFilters, AReadOnlyFileIsNotFixed) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
  std::filesystem::permissions(project_.path() / "a.cc", std::filesystem::perms::owner_read);
  const Outcome outcome = project_.lint({"-p", "build", "--fix"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("a.cc: cannot be written"));
}

TEST_F(LintFilters, AProfileAddsTheMeasuredCost) {
  project_.write("trace.json",
                 R"({"schema": "xfercheck-findings/1", "tool": "xfertrace", "findings": [
    {"rule": "unused-transfer", "severity": "warning", "confidence": "proven",
     "message": "4 MiB unused",
     "location": {"file": "a.cc", "line": 3, "column": 0, "function": "move"}, "notes": [],
     "fix": null, "cost": {"count": 7, "bytes": 4194304, "host_ns": 1000, "device_ns": 2000},
     "fingerprint": "t1"},
    {"rule": "unused-transfer", "severity": "warning", "confidence": "proven",
     "message": "elsewhere",
     "location": {"file": "z.cc", "line": 1, "column": 0, "function": ""}, "notes": [], "fix": null,
     "cost": null, "fingerprint": "t2"}], "stats": {}})");
  const nlohmann::json report = project_.findings({"--profile", "trace.json"});
  EXPECT_THAT(places(report), ElementsAre("discarded-transfer a.cc:3"));
  EXPECT_EQ(report.at("findings").at(0).at("cost").at("bytes"), 4194304);
  EXPECT_EQ(report.at("findings").at(0).at("cost").at("count"), 7);
}

}  // namespace
}  // namespace xfer::lint
