// Files that do not parse, crash the analysis or never end: said, exit code 3, the others go on.

#include <gmock/gmock.h>

#include "program.h"

namespace xfer::lint {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(LintFailures, AFileWithErrorsIsAnalysedAsFarAsItGoes) {
  Project project;
  project.write("a.cc", std::string(kDiscard) + "void g() { undeclared(1); }\n");
  project.write("b.cc", kDiscard);
  project.database({"a.cc", "b.cc"});
  const Outcome outcome = project.lint({"-p", "build"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("a.cc:5:12: error: "), HasSubstr("undeclared"),
                                 HasSubstr("1 did not parse completely")));
  const nlohmann::json report = project.findings();
  EXPECT_THAT(places(report),
              ElementsAre("discarded-transfer a.cc:3", "discarded-transfer b.cc:3"));
  EXPECT_EQ(report.at("stats").at("parse_failures").at(0).at("file"), "a.cc");
}

/// In no format is a file praised that was not read to its end.
TEST(LintFailures, AFileThatDoesNotParseIsNotWithoutFindings) {
  Project project;
  project.write("a.cc", "void g() { undeclared(1); }\n");
  project.database({"a.cc"});
  for (const char* format : {"text", "json", "sarif", "github", "gitlab", "html"}) {
    const Outcome outcome = project.lint({"-p", "build", "--format", format});
    EXPECT_EQ(outcome.exit_code, 3) << format;
    EXPECT_THAT(outcome.out,
                AllOf(testing::Not(testing::ContainsRegex("[Nn]o findings")), HasSubstr("a.cc")))
        << format;
  }
}

/// Warnings that Clang makes errors by itself, of code that GCC compiles.
TEST(LintFailures, WhatIsOnlyDoubtfulIsNoError) {
  Project project;
  project.write("a.cc", std::string(kDiscard) +
                            "struct Size { long value; };\n"
                            "Size narrowed(unsigned long n) { return Size{n}; }\n"
                            "bool chained(int a, int b, int c) { return a <= b <= c; }\n");
  project.database({"a.cc"});
  const Outcome outcome = project.lint({"-p", "build"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, testing::Not(HasSubstr("error")));
  EXPECT_THAT(places(project.findings()), ElementsAre("discarded-transfer a.cc:3"));
}

TEST(LintFailures, AMissingHeaderDoesNotEndTheParse) {
  Project project;
  project.write("a.cc", std::string("#include \"missing.h\"\n") + kDiscard);
  project.database({"a.cc"});
  const Outcome outcome = project.lint({"-p", "build"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("a.cc:1:10: error: 'missing.h' file not found"));
  EXPECT_THAT(outcome.out, HasSubstr("discarded-transfer"));
}

TEST(LintFailures, WhatAMissingHeaderDeclaresMayDoAnything) {
  Project project;
  project.write("a.cc",
                "#include <torch/torch.h>\n"
                "#include \"missing.h\"\n"
                "void run() {\n"
                "  auto a = torch::ones(3, torch::kCUDA);\n"
                "  auto b = torch::ones(3);\n"
                "  missing::upload(b);\n"
                "  auto c = a + b;\n"
                "  auto d = a + torch::ones(3);\n"
                "}\n");
  project.database({"a.cc"});
  EXPECT_THAT(places(project.findings()), ElementsAre("missing-transfer a.cc:8"));
}

TEST(LintFailures, AMissingFileOfTheDatabase) {
  Project project;
  project.write("b.cc", kDiscard);
  project.database({"a.cc", "b.cc"});
  const Outcome outcome = project.lint({"-p", "build"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("a.cc"), HasSubstr("o such file")));
  EXPECT_THAT(outcome.out, HasSubstr("b.cc:3"));
}

TEST(LintFailures, FilesAreNamedFromTheProjectRoot) {
  Project project;
  project.write("src/a.cc", "#include \"h.h\"\n");
  project.write("src/h.h", "int x = undeclared;\n");
  project.write("src/n.cc", std::string("// NOLINTBEGIN(xfer-round-trip)\n") + kDiscard);
  project.write("src/i.cc", kClean);
  project.write("top.cc", kClean);
  const std::string flags = "c++ -std=c++17 -isystem " XFER_LINT_MOCK " -c ";
  const std::string compiler = flags + (project.path() / "src/").string();
  const std::string forced = " -include " + (project.path() / "src/none.h").string();
  project.commands({{"top.cc", flags + (project.path() / "top.cc").string()},
                    {"src/a.cc", compiler + "a.cc"},
                    {"src/n.cc", compiler + "n.cc"},
                    {"src/i.cc", compiler + "i.cc" + forced},
                    {"src/gone.cc", compiler + "gone.cc"}});
  const Outcome outcome = project.lint({"-p", "build", "--stats"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("src/h.h:1:9: error: "), HasSubstr("'src/none.h'"),
                                 HasSubstr("src/n.cc:1: NOLINTBEGIN"), HasSubstr("'src/gone.cc'")));
  // The facts of the run name the root itself.
  const std::string findings = outcome.out.substr(0, outcome.out.find("\ncommand:"));
  EXPECT_THAT(outcome.err + findings, testing::Not(HasSubstr(project.path().string())));
  nlohmann::json report = project.findings();
  report.erase("runs");
  EXPECT_THAT(report.dump(), testing::Not(HasSubstr(project.path().string())));
}

TEST(LintFailures, ManyErrorsAreSummedUp) {
  Project project;
  std::string text;
  for (int i = 0; i < 50; ++i) text += "int x" + std::to_string(i) + " = undeclared;\n";
  project.write("a.cc", text);
  project.database({"a.cc"});
  EXPECT_THAT(project.lint({"-p", "build"}).err, HasSubstr("and 47 more errors"));
}

TEST(LintFailures, ACrashStaysInItsWorker) {
  Project project;
  project.write("crash.cc", "#pragma clang __debug crash\n");
  std::vector<std::string> files = {"crash.cc"};
  for (int i = 0; i < 4; ++i) {
    files.push_back("f" + std::to_string(i) + ".cc");
    project.write(files.back(), kDiscard);
  }
  project.database(files);
  for (const char* workers : {"1", "3"}) {
    const Outcome outcome = project.lint({"-p", "build", "-j", workers});
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("crash.cc: error: not analysed: the worker crashed (SIG"));
    for (int i = 0; i < 4; ++i)
      EXPECT_THAT(outcome.out, HasSubstr("f" + std::to_string(i) + ".cc:3"));
  }
}

TEST(LintFailures, TimeLimit) {
  Project project;
  project.write("slow.cc",
                "constexpr long loop() { long n = 0; while (n < 4000000000) ++n; return n; }\n"
                "constexpr long kValue = loop();\n");
  project.write("b.cc", kDiscard);
  project.database({"slow.cc", "b.cc"}, "-fconstexpr-steps=4294967295");
  const Outcome outcome = project.lint({"-p", "build", "-j", "1", "--timeout", "2"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err,
              HasSubstr("slow.cc: error: not analysed: the worker took longer than 2 s"));
  EXPECT_THAT(outcome.out, HasSubstr("b.cc:3"));
}

TEST(LintFailures, OptionsThatClangDoesNotKnowAreNoFailure) {
  Project project;
  project.write("a.cc", kClean);
  project.database({"a.cc"}, "-fno-such-option-in-clang -mno-such -Werror -fsanitize=no-such");
  const Outcome outcome = project.lint({"-p", "build", "--stats"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("-fno-such-option-in-clang"));
}

}  // namespace
}  // namespace xfer::lint
