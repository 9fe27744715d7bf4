// Functions that other files define: a run over several files brings them together by itself; the
// two phases are commands of their own for build systems.

#include <gmock/gmock.h>

#include <algorithm>

#include "program.h"

namespace xfer::lint {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

/// main.cc (one finding, through two files) calls middle.cc calls helpers.cc.
class CrossFile : public testing::Test {
 protected:
  CrossFile() {
    project_.write(".git/HEAD", "");
    project_.write("src/helpers.h",
                   "#include <torch/torch.h>\n"
                   "at::Tensor combine(const at::Tensor& a, const at::Tensor& b);\n"
                   "at::Tensor combine_checked(const at::Tensor& a, const at::Tensor& b);\n"
                   "at::Tensor upload(const at::Tensor& x);\n"
                   "at::Tensor middle(const at::Tensor& a, const at::Tensor& b);\n");
    project_.write("src/helpers.cc",
                   "#include \"helpers.h\"\n"
                   "at::Tensor combine(const at::Tensor& a, const at::Tensor& b) {\n"
                   "  return a.add(b);\n"
                   "}\n"
                   "at::Tensor combine_checked(const at::Tensor& a, const at::Tensor& b) {\n"
                   "  return a.add(b.to(a.device()));\n"
                   "}\n"
                   "at::Tensor upload(const at::Tensor& x) { return x.to(torch::kCUDA); }\n");
    project_.write("src/middle.cc",
                   "#include \"helpers.h\"\n"
                   "at::Tensor middle(const at::Tensor& a, const at::Tensor& b) {\n"
                   "  return combine(b, a);\n"
                   "}\n");
    project_.write("src/main.cc",
                   "#include \"helpers.h\"\n"
                   "int main() {\n"
                   "  at::Tensor a = at::ones(3);\n"
                   "  at::Tensor b = upload(at::ones(3));\n"
                   "  combine_checked(a, b);\n"
                   "  middle(upload(a), b);\n"
                   "  middle(a, b);\n"
                   "}\n");
  }

  static constexpr const char* kFound = "missing-transfer src/main.cc:7";
  static constexpr const char* kFlags = "-std=c++17 -isystem " XFER_LINT_MOCK;

  Outcome lint(std::vector<std::string> arguments) const {
    return project_.lint(std::move(arguments));
  }

  Project project_;
};

TEST_F(CrossFile, ARunOverADatabase) {
  project_.database({"src/helpers.cc", "src/main.cc", "src/middle.cc"});
  const nlohmann::json report = project_.findings();
  EXPECT_THAT(places(report), ElementsAre(kFound));
  const nlohmann::json& note = report.at("findings").at(0).at("notes").back();
  EXPECT_EQ(note.at("location").at("file"), "src/helpers.cc");
  EXPECT_EQ(note.at("location").at("line"), 3);
  EXPECT_EQ(note.at("message"), "`middle` needs them on one device: `a.add(b)`");
}

TEST_F(CrossFile, OneFileAloneIsSilent) {
  project_.database({"src/helpers.cc", "src/main.cc", "src/middle.cc"});
  EXPECT_THAT(places(project_.findings({"src/main.cc"})), IsEmpty());
  EXPECT_THAT(places(project_.findings({"src/main.cc", "src/helpers.cc"})), IsEmpty());
}

/// A function that did not parse says nothing; the functions beside it do.
TEST_F(CrossFile, AFileWithErrors) {
  project_.database({"src/helpers.cc", "src/main.cc", "src/middle.cc"});
  const std::string helpers = project_.read("src/helpers.cc");
  project_.write("src/helpers.cc", helpers + "void more() { at::Tensor x = missing(); }\n");
  EXPECT_THAT(places(project_.findings()), ElementsAre(kFound));
  std::string broken = helpers;
  broken.insert(broken.find("return a.add(b)"), "b = missing(a);\n");
  project_.write("src/helpers.cc", broken);
  EXPECT_THAT(places(project_.findings()), IsEmpty());
}

TEST_F(CrossFile, FilesOnTheCommandLine) {
  const Outcome outcome = lint({"src/main.cc", "src/middle.cc", "src/helpers.cc", "--",
                                "-std=c++17", "-isystem", XFER_LINT_MOCK});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("src/main.cc:7:3"), HasSubstr("src/helpers.cc:3")));
}

TEST_F(CrossFile, TheOrderOfFilesAndTheNumberOfWorkersChangeNothing) {
  std::vector<std::string> files = {"src/helpers.cc", "src/main.cc", "src/middle.cc"};
  std::string first;
  do {
    for (const char* jobs : {"1", "2", "5"}) {
      std::vector<std::string> arguments = {"--format", "text", "-j", jobs};
      arguments.insert(arguments.end(), files.begin(), files.end());
      arguments.insert(arguments.end(), {"--", "-std=c++17", "-isystem", XFER_LINT_MOCK});
      const std::string text = lint(arguments).out;
      const std::string findings = text.substr(0, text.find("\ncommand:"));
      if (first.empty()) first = findings;
      EXPECT_EQ(findings, first);
    }
  } while (std::ranges::next_permutation(files).found);
  EXPECT_THAT(first, HasSubstr("src/main.cc:7"));
}

TEST_F(CrossFile, OnlyWhoLearnsSomethingIsAnalysedAgain) {
  project_.database({"src/helpers.cc", "src/main.cc", "src/middle.cc"});
  const nlohmann::json stats = project_.findings().at("stats");
  EXPECT_EQ(stats.at("analysed_again"), 2);
}

TEST_F(CrossFile, TwoProgramsWithFunctionsOfOneName) {
  project_.write("src/other.cc",
                 "#include \"helpers.h\"\n"
                 "at::Tensor combine(const at::Tensor& a, const at::Tensor& b) {\n"
                 "  return a.to(torch::kCUDA).add(b.to(torch::kCUDA));\n"
                 "}\n");
  project_.database({"src/helpers.cc", "src/main.cc", "src/middle.cc", "src/other.cc"});
  EXPECT_THAT(places(project_.findings()), IsEmpty());
}

TEST_F(CrossFile, ThePhasesAsCommands) {
  project_.database({"src/helpers.cc", "src/main.cc", "src/middle.cc"});
  for (const char* name : {"helpers", "main", "middle"}) {
    const Outcome outcome =
        lint({"-p", "build", "--emit-facts", std::string("build/") + name + ".facts",
              std::string("src/") + name + ".cc"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  const Outcome merged = lint({"--merge", "build", "--format", "json"});
  EXPECT_EQ(merged.exit_code, 1) << merged.err;
  EXPECT_THAT(places(nlohmann::json::parse(merged.out)), ElementsAre(kFound));
  EXPECT_EQ(lint({"--merge", "build/main.facts", "build/helpers.facts"}).exit_code, 0)
      << "middle is not there";
  EXPECT_EQ(lint({"--merge", "src"}).exit_code, 2) << "there are no facts";
  EXPECT_EQ(lint({"--merge"}).exit_code, 2);
}

/// Another machine has neither the sources nor what they were compiled with.
TEST_F(CrossFile, MergingNeedsNoSources) {
  project_.write("src/main.cc", project_.read("src/main.cc") +
                                    "void quiet() {\n"
                                    "  middle(at::ones(3), upload(at::ones(3)));  // NOLINT\n"
                                    "}\n");
  project_.database({"src/helpers.cc", "src/main.cc", "src/middle.cc"});
  EXPECT_EQ(lint({"-p", "build", "--emit-facts", "all.facts"}).exit_code, 0);
  const Project elsewhere;
  elsewhere.write(".git/HEAD", "");
  elsewhere.write("all.facts", project_.read("all.facts"));
  const Outcome merged = elsewhere.lint({"--merge", "all.facts", "--format", "json"});
  EXPECT_EQ(merged.exit_code, 1) << merged.err;
  const nlohmann::json report = nlohmann::json::parse(merged.out);
  EXPECT_THAT(places(report), ElementsAre(kFound));
  EXPECT_EQ(report.at("stats").at("suppressed"), 1);
}

TEST_F(CrossFile, FactsAreTheSameWhoeverMakesThem) {
  project_.database({"src/helpers.cc", "src/main.cc", "src/middle.cc"});
  lint({"-p", "build", "--emit-facts", "one.facts", "-j", "1"});
  lint({"-p", "build", "--emit-facts", "two.facts", "-j", "3", "src/middle.cc", "src/main.cc",
        "src/helpers.cc"});
  EXPECT_THAT(project_.read("one.facts"), StartsWith("{\"schema\":\"xfercheck-facts/1\""));
  EXPECT_EQ(project_.read("one.facts"), project_.read("two.facts"));
  EXPECT_THAT(project_.read("one.facts"), Not(HasSubstr(project_.path().string())));
}

TEST_F(CrossFile, FactsOfAFileThatDoesNotParseAreSaidToBe) {
  project_.write("src/main.cc", project_.read("src/main.cc") + "int x = undeclared;\n");
  project_.database({"src/helpers.cc", "src/main.cc", "src/middle.cc"});
  EXPECT_EQ(lint({"-p", "build", "--emit-facts", "all.facts"}).exit_code, 3);
  EXPECT_EQ(lint({"--merge", "all.facts"}).exit_code, 3);
}

TEST_F(CrossFile, StaleAndDamagedFacts) {
  project_.database({"src/helpers.cc", "src/main.cc", "src/middle.cc"});
  lint({"-p", "build", "--emit-facts", "all.facts"});
  const auto refusal = [&] {
    const Outcome outcome = lint({"--merge", "all.facts"});
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    return outcome.err;
  };
  EXPECT_EQ(lint({"--merge", "all.facts"}).exit_code, 1);
  const std::string whole = project_.read("all.facts");
  for (const std::size_t size : {whole.size() - 1, whole.size() / 2, whole.find('\n') + 1}) {
    project_.write("all.facts", whole.substr(0, size));
    EXPECT_THAT(refusal(), HasSubstr("all.facts is not a facts file: its facts are damaged"));
  }
  std::string changed = whole;
  changed[whole.size() - 9] ^= 1;
  project_.write("all.facts", changed);
  EXPECT_THAT(refusal(), HasSubstr("make it again with xferlint --emit-facts"));
  project_.write("all.facts", whole.substr(0, 40));
  EXPECT_THAT(refusal(), HasSubstr("it does not start with a line of JSON"));
  project_.write("all.facts", whole);
  project_.write("src/helpers.h", project_.read("src/helpers.h") + "\n");
  EXPECT_EQ(refusal(),
            "xferlint: error: all.facts was made before src/helpers.h changed; make it again "
            "with xferlint --emit-facts\n");
}

/// The rules that analyzer/README.md shows.
TEST_F(CrossFile, ANinjaBuild) {
  project_.write("build.ninja",
                 std::string("flags = ") + kFlags +
                     "\n"
                     "rule facts\n"
                     "  command = " XFERLINT
                     " --root . --emit-facts $out $in -- $flags\n"
                     "rule merge\n"
                     "  command = " XFERLINT
                     " --root . --merge $in --format json -o $out; [ $$? -le 1 ]\n"
                     "build f/helpers.facts: facts src/helpers.cc | src/helpers.h\n"
                     "build f/middle.facts: facts src/middle.cc | src/helpers.h\n"
                     "build f/main.facts: facts src/main.cc | src/helpers.h\n"
                     "build report.json: merge f/helpers.facts f/middle.facts f/main.facts\n");
  const Outcome outcome = run({{"ninja", "-k0"}, {}, project_.path().string(), ""});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(places(nlohmann::json::parse(project_.read("report.json"))), ElementsAre(kFound));
}

}  // namespace
}  // namespace xfer::lint
