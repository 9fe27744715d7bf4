// Wrong usage: one line that says what is wrong and where, and exit code 2.

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "program.h"

namespace xfer::lint {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class LintUsage : public testing::Test {
 protected:
  LintUsage() {
    project_.write("a.cc", kClean);
    project_.database({"a.cc"});
  }

  /// Exit code 2 and one line that contains `what`.
  void expect_refused(const std::vector<std::string>& arguments, const std::string& what) {
    const Outcome outcome = project_.lint(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(StartsWith("xferlint: error: "), HasSubstr(what)));
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }

  Project project_;
};

TEST_F(LintUsage, UnknownOption) { expect_refused({"--frobnicate"}, "--frobnicate"); }
TEST_F(LintUsage, WrongValues) {
  expect_refused({"--format", "xml"}, "xml");
  expect_refused({"--fail-on", "never"}, "never");
  expect_refused({"-j", "0"}, "-j");
  expect_refused({"-j", "many"}, "-j");
  expect_refused({"--checks", "-*,no-such-check"}, "no-such-check");
  expect_refused({"--checks", "-*"}, "no check");
  expect_refused({"--explain", "nosuch"}, "no rule 'nosuch' (");
  expect_refused({"--explain", "transfer-loop"}, "did you mean 'transfer-in-loop'?");
  expect_refused({"--checks", "xfer-roundtrip"}, "did you mean 'round-trip'?");
}

TEST_F(LintUsage, NoDatabase) {
  const Project empty;
  const Outcome outcome = empty.lint({});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("CMAKE_EXPORT_COMPILE_COMMANDS"));
  expect_refused({"-p", "nowhere"}, "nowhere");
  expect_refused({"-p", "a.cc"}, "a.cc");
}

TEST_F(LintUsage, FaultyDatabase) {
  for (const char* text : {"", "{", "[{]", "{}", "[{\"file\": 1}]"}) {
    project_.write("build/compile_commands.json", text);
    expect_refused({"-p", "build"}, "compile_commands.json");
  }
  project_.write("build/compile_commands.json", "[\n{]\n");
  expect_refused({"-p", "build"}, "compile_commands.json:2:2: not JSON: unexpected ']'");
  project_.write("build/compile_commands.json", "[]");
  expect_refused({"-p", "build"}, "no C++ or CUDA file");
}

TEST_F(LintUsage, PatternsThatMatchNothing) {
  expect_refused({"-p", "build", "missing.cc"}, "missing.cc");
  expect_refused({"-p", "build", "["}, "nor a regular expression");
  expect_refused({"-p", "build", "--exclude", "("}, "nor a regular expression");
  expect_refused({"-p", "build", "--exclude", ".*"}, "--exclude");
  project_.write("other/readme", "");
  expect_refused({"-p", "build", "other"}, "other");
}

TEST_F(LintUsage, FlagsWithoutFiles) {
  expect_refused({"--", "-std=c++17"}, "no file");
  expect_refused({"missing.cc", "--", "-std=c++17"}, "missing.cc");
  expect_refused({"build", "--"}, "build");
}

TEST_F(LintUsage, ModelFiles) {
  expect_refused({"-p", "build", "--models", "none.yaml"}, "none.yaml");
  project_.write("bad.yaml", "library: x\nfunctions: [{names: [f], kind: no_such_kind}]\n");
  expect_refused({"-p", "build", "--models", "bad.yaml"}, "bad.yaml:2:");
  expect_refused({"-p", "build", "--models", "bad.yaml"}, "no_such_kind");
  project_.write("broken.yaml", "library: [\n");
  expect_refused({"-p", "build", "--models", "broken.yaml"}, "not YAML (see rules/models/");
  project_.write("key.yaml", "library: x\nfunctions:\n  - {names: [f], on: [own], colour: red}\n");
  expect_refused({"-p", "build", "--models", "key.yaml"}, "key.yaml:3:");
  project_.write("empty.yaml", "");
  expect_refused({"-p", "build", "--models", "empty.yaml"}, "empty.yaml");
  project_.write("text.yaml", "upload moves to the GPU\n");
  expect_refused({"-p", "build", "--models", "text.yaml"}, "text.yaml:1:");
  expect_refused({"-p", "build", "--models", "build"}, "build");
}

TEST_F(LintUsage, FilesToReadAndToWrite) {
  expect_refused({"-p", "build", "--baseline", "none.json"}, "none.json");
  expect_refused({"-p", "build", "--profile", "none.json"}, "none.json");
  project_.write("bad.json", "[1]");
  expect_refused({"-p", "build", "--baseline", "bad.json"}, "bad.json");
  expect_refused({"-p", "build", "--profile", "bad.json"}, "bad.json");
  project_.write("cut.json", "{\n  \"schema\": ");
  expect_refused({"-p", "build", "--baseline", "cut.json"},
                 "--baseline: cut.json:2:13: not JSON: the text ends too early");
  expect_refused({"-p", "build", "--profile", "cut.json"},
                 "--profile: cut.json:2:13: not JSON: the text ends too early");
  project_.write("other.json", R"({"schema": "xfercheck-baseline/1", "findings": [{"rule": 1}]})");
  expect_refused(
      {"-p", "build", "--baseline", "other.json"},
      "other.json is not a baseline of xferlint: findings/0: \"fingerprint\" is missing");
  expect_refused({"-p", "build", "-o", "no/such/folder/out"}, "no/such/folder/out");
  expect_refused({"-p", "build", "-o", "build"}, "build");
  expect_refused({"-p", "build", "--write-baseline", "no/such/base"}, "no/such/base");
  expect_refused({"-p", "build", "--root", "nowhere"}, "nowhere");
}

TEST_F(LintUsage, DiffOfNoRepository) {
  expect_refused({"-p", "build", "--diff-only", "HEAD"}, "is not in a git work tree");
  project_.git({"init", "-q"});
  expect_refused({"-p", "build", "--diff-only", "no-such-revision"},
                 "--diff-only: there is no revision 'no-such-revision' in ");
  expect_refused({"-p", "build", "--diff-only=--output=x"}, "expected a revision");
}

TEST_F(LintUsage, HelpAndVersionAreNoMistakes) {
  for (const char* option : {"--help", "--version", "--list-checks"}) {
    const Outcome outcome = project_.lint({option});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.out, "");
    EXPECT_EQ(outcome.err, "");
  }
  EXPECT_THAT(project_.lint({"--explain", "round-trip"}).out, HasSubstr("round-trip"));
}

}  // namespace
}  // namespace xfer::lint
