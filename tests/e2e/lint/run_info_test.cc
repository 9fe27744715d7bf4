// The facts about the run in a report of xferlint, in each format.

#include <gmock/gmock.h>

#include "program.h"

namespace xfer::lint {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(LintRunInfo, EachFormatSaysWhatWasChecked) {
  Project project;
  project.write("a.cc", kDiscard);
  project.write("b.cc", "int b;\n");
  project.database({"a.cc", "b.cc"});
  EXPECT_THAT(project.lint({"-p", "build"}).out,
              AllOf(HasSubstr("\ncommand:     "), HasSubstr(" -p build\nproject:     /"),
                    HasSubstr("\ndate:        20"), HasSubstr("\nmachine:     "),
                    HasSubstr("\nfiles:       2 files checked\n"),
                    HasSubstr("\nnot run:     nothing was run")));
  EXPECT_THAT(project.lint({"-p", "build", "--format", "html"}).out,
              AllOf(HasSubstr("<dt>project</dt>"), HasSubstr("<dd>2 files checked</dd>")));
  const json run = project.findings().at("runs").at(0);
  EXPECT_EQ(run.at("kind"), "lint");
  EXPECT_EQ(run.at("files"), 2);
  EXPECT_EQ(run.at("program_was_run"), false);
  EXPECT_THAT(run.at("command"), testing::Contains("--format"));
  const json sarif = json::parse(project.lint({"-p", "build", "--format", "sarif"}).out);
  const json& invocation = sarif.at("runs").at(0).at("invocations").at(0);
  EXPECT_EQ(invocation.at("executionSuccessful"), true);
  EXPECT_EQ(invocation.at("properties").at("filesChecked"), 2);
}

TEST(LintRunInfo, AFileThatDidNotParseIsSaidBeforeTheFindings) {
  Project project;
  project.write("a.cc", "#include \"missing.h\"\n");
  project.write("b.cc", "int b;\n");
  project.database({"a.cc", "b.cc"});
  const Outcome text = project.lint({"-p", "build"});
  EXPECT_EQ(text.exit_code, 3);
  EXPECT_THAT(text.out,
              AllOf(StartsWith("xferlint: 1 of 2 files did not parse, so findings may be "
                               "missing: a.cc: 'missing.h' file not found\n"),
                    HasSubstr("xferlint: nothing found, but not everything was examined\n"),
                    Not(HasSubstr("no findings\n"))));
  EXPECT_EQ(project.findings().at("runs").at(0).at("not_parsed").size(), 1U);
  const json sarif = json::parse(project.lint({"-p", "build", "--format", "sarif"}).out);
  EXPECT_EQ(sarif.at("runs").at(0).at("invocations").at(0).at("executionSuccessful"), false);
}

}  // namespace
}  // namespace xfer::lint
