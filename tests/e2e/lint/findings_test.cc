// The findings of a run, their places, and the exit code.

#include <gmock/gmock.h>

#include "program.h"

namespace xfer::lint {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class LintFindings : public testing::Test {
 protected:
  void discard_and_clean() {
    project_.write("src/a.cc", kDiscard);
    project_.write("src/b.cc", kClean);
    project_.database({"src/a.cc", "src/b.cc"});
  }

  Project project_;
};

TEST_F(LintFindings, ExitCodeTellsWhetherThereAreAny) {
  discard_and_clean();
  const Outcome all = project_.lint({"-p", "build"});
  EXPECT_EQ(all.exit_code, 1);
  EXPECT_THAT(all.out, AllOf(HasSubstr("a.cc:3:"), HasSubstr("[discarded-transfer]")));
  EXPECT_THAT(all.err, HasSubstr("2 files analysed"));
  EXPECT_EQ(project_.lint({"-p", "build", "b.cc"}).exit_code, 0);
}

TEST_F(LintFindings, FailOn) {
  discard_and_clean();
  const Outcome outcome = project_.lint({"-p", "build", "--fail-on", "error"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("discarded-transfer"));
}

TEST_F(LintFindings, FailOnAdviceTurnsAdviceOn) {
  project_.write("a.cc",
                 "#include <torch/torch.h>\n"
                 "torch::Tensor make() {\n"
                 "  return torch::ones(3).to(torch::kCUDA);\n"
                 "}\n");
  project_.database({"a.cc"});
  EXPECT_EQ(project_.lint({"-p", "build"}).exit_code, 0);
  const Outcome outcome = project_.lint({"-p", "build", "--fail-on", "advice"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("[create-on-host]"));
  EXPECT_EQ(project_.lint({"-p", "build", "--fail-on", "advice", "--checks", "-create-on-host"})
                .exit_code,
            0);
  EXPECT_THAT(project_.lint({"--help"}).out, HasSubstr("turns the advice rules on"));
}

TEST_F(LintFindings, ChecksAreChosen) {
  discard_and_clean();
  EXPECT_EQ(project_.lint({"-p", "build", "--checks", "-discarded-transfer"}).exit_code, 0);
  EXPECT_EQ(project_.lint({"-p", "build", "--checks", "-*,xfer-discarded-*"}).exit_code, 1);
}

TEST_F(LintFindings, FilesAreChosen) {
  discard_and_clean();
  EXPECT_THAT(project_.lint({"-p", "build", "src/b.cc"}).err, HasSubstr("1 file analysed"));
  EXPECT_THAT(project_.lint({"-p", "build", "src"}).err, HasSubstr("2 files analysed"));
  EXPECT_THAT(project_.lint({"-p", "build", "/[ab]\\.cc$"}).err, HasSubstr("2 files analysed"));
  EXPECT_THAT(project_.lint({"-p", "build", "--exclude", "/a\\.cc$"}).err,
              HasSubstr("1 file analysed"));
  EXPECT_THAT(project_.lint({"src/a.cc"}).err, HasSubstr("1 file analysed"));
}

TEST_F(LintFindings, AFileThatTheDatabaseDoesNotList) {
  discard_and_clean();
  project_.write("src/c.cc", kDiscard);
  const Outcome outcome = project_.lint({"-p", "build", "src/c.cc"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("flags of a similar file"));
}

TEST_F(LintFindings, FlagsInsteadOfADatabase) {
  project_.write("a.cc", kDiscard);
  EXPECT_EQ(project_.lint({"a.cc", "--", "-std=c++17", "-isystem", XFER_LINT_MOCK}).exit_code, 1);
}

TEST_F(LintFindings, JsonHasRelativePathsAndTheFix) {
  discard_and_clean();
  project_.git({"init", "-q"});
  const nlohmann::json report = project_.findings();
  EXPECT_EQ(report.at("schema"), "xfercheck-findings/1");
  EXPECT_EQ(report.at("tool"), "xferlint");
  EXPECT_THAT(places(report), ElementsAre("discarded-transfer src/a.cc:3"));
  const nlohmann::json& finding = report.at("findings").at(0);
  EXPECT_EQ(finding.at("severity"), "warning");
  EXPECT_NE(finding.at("fingerprint"), "");
  EXPECT_EQ(finding.at("fix").at("replacements").at(0).at("file"), "src/a.cc");
  EXPECT_EQ(report.at("stats").at("files"), 2);
}

TEST_F(LintFindings, OtherFormats) {
  discard_and_clean();
  const Outcome sarif = project_.lint({"-p", "build", "--format", "sarif"});
  EXPECT_EQ(nlohmann::json::parse(sarif.out).at("runs").at(0).at("results").size(), 1U);
  EXPECT_THAT(project_.lint({"-p", "build", "--format", "github"}).out, HasSubstr("::warning "));
  EXPECT_THAT(project_.lint({"-p", "build", "--format", "gitlab"}).out, HasSubstr("\"major\""));
  EXPECT_THAT(project_.lint({"-p", "build", "--format", "html"}).out, HasSubstr("<html"));
}

TEST_F(LintFindings, OutputFile) {
  discard_and_clean();
  const Outcome outcome = project_.lint({"-p", "build", "--format", "json", "-o", "out.json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(nlohmann::json::parse(project_.read("out.json")).at("findings"), SizeIs(1));
}

TEST_F(LintFindings, AHeadersFindingComesOnce) {
  project_.write("inc/move.h", std::string("#pragma once\n") + kDiscard);
  for (const char* name : {"a.cc", "b.cc", "c.cc"}) project_.write(name, "#include \"move.h\"\n");
  project_.database({"a.cc", "b.cc", "c.cc"}, "-I../inc");
  EXPECT_THAT(places(project_.findings()), ElementsAre("discarded-transfer inc/move.h:4"));
}

TEST_F(LintFindings, OtherPeoplesHeadersAreLeftAlone) {
  project_.write("build/_deps/lib/move.h", kDiscard);
  project_.write("a.cc", "#include \"build/_deps/lib/move.h\"\n");
  project_.database({"a.cc"});
  EXPECT_THAT(places(project_.findings()), IsEmpty());
}

TEST_F(LintFindings, Nolint) {
  project_.write("a.cc",
                 "#include <torch/torch.h>\n"
                 "void move(torch::Tensor x) {\n"
                 "  x.to(torch::kCUDA);  // NOLINT(xfer-discarded-transfer)\n"
                 "  // NOLINTNEXTLINE(xfer-*)\n"
                 "  x.to(torch::kCUDA);\n"
                 "  // NOLINTBEGIN\n"
                 "  x.to(torch::kCUDA);\n"
                 "  // NOLINTEND\n"
                 "  x.to(torch::kCUDA);  // NOLINT(xfer-round-trip)\n"
                 "}\n");
  project_.database({"a.cc"});
  const nlohmann::json report = project_.findings();
  EXPECT_THAT(places(report), ElementsAre("discarded-transfer a.cc:9"));
  EXPECT_EQ(report.at("stats").at("suppressed"), 3);
}

TEST_F(LintFindings, SameForAnyNumberOfWorkers) {
  std::vector<std::string> files;
  for (int i = 0; i < 6; ++i) {
    files.push_back("f" + std::to_string(i) + ".cc");
    project_.write(files.back(), kDiscard);
  }
  project_.database(files);
  const auto strip = [](nlohmann::json report) { return report.at("findings"); };
  const nlohmann::json one = strip(project_.findings({"-j", "1"}));
  EXPECT_THAT(one, SizeIs(6));
  EXPECT_EQ(one, strip(project_.findings({"-j", "4"})));
}

TEST_F(LintFindings, ModelsOfATeamsOwnLibrary) {
  project_.write("own.h",
                 "#pragma once\n"
                 "#include <torch/torch.h>\n"
                 "namespace own {\n"
                 "torch::Tensor load(const char* file);\n"
                 "torch::Tensor upload(const torch::Tensor& x);\n"
                 "}\n");
  project_.write("a.cc",
                 "#include \"own.h\"\n"
                 "torch::Tensor wrong() {\n"
                 "  torch::Tensor weights = own::upload(own::load(\"weights\"));\n"
                 "  torch::Tensor image = own::load(\"image\");\n"
                 "  return weights + image;\n"
                 "}\n"
                 "torch::Tensor right() {\n"
                 "  torch::Tensor weights = own::upload(own::load(\"weights\"));\n"
                 "  torch::Tensor image = own::upload(own::load(\"image\"));\n"
                 "  return weights + image;\n"
                 "}\n"
                 "void forgotten(torch::Tensor image) {\n"
                 "  own::upload(image);\n"
                 "}\n");
  project_.database({"a.cc"});
  EXPECT_THAT(places(project_.findings()), IsEmpty());
  project_.write("own.yaml",
                 "library: own\n"
                 "functions:\n"
                 "  - {names: [load], on: [own], result: cpu, rank: non_zero}\n"
                 "  - {names: [upload], on: [own], kind: transfer, result: cuda,\n"
                 "     discard: stays where it is}\n");
  const nlohmann::json report = project_.findings({"--models", "own.yaml"});
  EXPECT_THAT(places(report), ElementsAre("missing-transfer a.cc:5", "discarded-transfer a.cc:13"));
  EXPECT_THAT(report.at("findings").at(0).at("message").get<std::string>(),
              HasSubstr("`image` is on the CPU"));
  EXPECT_THAT(report.at("findings").at(1).at("message").get<std::string>(), HasSubstr("`image`"));
}

TEST_F(LintFindings, Statistics) {
  discard_and_clean();
  const Outcome outcome = project_.lint({"-p", "build", "--stats", "--explain-unknown"});
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("s parse"), HasSubstr("wall_seconds"), HasSubstr("lost track")));
}

TEST_F(LintFindings, AHeadersFindingComesOnceWhicheverWayToIt) {
  project_.write("lib/move.h", std::string("#pragma once\n") + kDiscard);
  project_.write("a/one.cc", "#include \"../lib/move.h\"\n");
  project_.write("b/two.cc", "#include \"../a/../lib/move.h\"\n");
  project_.write("lib/three.cc", "#include \"move.h\"\n");
  project_.database({"a/one.cc", "b/two.cc", "lib/three.cc"});
  EXPECT_THAT(places(project_.findings()), testing::ElementsAre("discarded-transfer lib/move.h:4"));
}

}  // namespace
}  // namespace xfer::lint
