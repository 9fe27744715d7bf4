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

/// What did not parse says nothing; the functions beside it do.
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

TEST_F(CrossFile, NoFileIsParsedTwice) {
  project_.database({"src/helpers.cc", "src/main.cc", "src/middle.cc"});
  const nlohmann::json stats = project_.findings().at("stats");
  EXPECT_EQ(stats.at("analysed_again"), 2);
  EXPECT_EQ(stats.at("parsed_again"), 0);
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
        lint({"-p", "build", "--emit-summaries", std::string("build/") + name + ".sum.json",
              std::string("src/") + name + ".cc"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(lint({"--merge-summaries", "build/all.sums", "build/helpers.sum.json",
                  "build/main.sum.json", "build/middle.sum.json"})
                .exit_code,
            0);
  // What middle.cc says of itself was said without helpers.cc.
  EXPECT_THAT(places(project_.findings({"--use-summaries", "build/all.sums", "src/main.cc"})),
              IsEmpty());
  const Outcome again = lint({"-p", "build", "--use-summaries", "build/all.sums",
                              "--emit-summaries", "build/middle.sum.json", "src/middle.cc"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  const std::vector<std::string> sums = {"--use-summaries", "build/helpers.sum.json",
                                         "--use-summaries", "build/middle.sum.json"};
  std::vector<std::string> main = sums, helpers = sums;
  main.push_back("src/main.cc");
  helpers.push_back("src/helpers.cc");
  EXPECT_THAT(places(project_.findings(main)), ElementsAre(kFound));
  EXPECT_THAT(places(project_.findings(helpers)), IsEmpty());
  EXPECT_EQ(lint({"--use-summaries", "build", "-p", "build", "src/main.cc"}).exit_code, 2)
      << "compile_commands.json is no summary";
}

TEST_F(CrossFile, SummariesAreTheSameWhoeverMakesThem) {
  project_.database({"src/helpers.cc", "src/main.cc", "src/middle.cc"});
  lint({"-p", "build", "--emit-summaries", "one.json", "-j", "1"});
  lint({"-p", "build", "--emit-summaries", "two.json", "-j", "3", "src/middle.cc", "src/main.cc",
        "src/helpers.cc"});
  EXPECT_THAT(project_.read("one.json"), StartsWith("{\n \"schema\": \"xfercheck-summaries/1\""));
  EXPECT_EQ(project_.read("one.json"), project_.read("two.json"));
  EXPECT_THAT(project_.read("one.json"), Not(HasSubstr(project_.path().string())));
}

TEST_F(CrossFile, StaleAndDamagedSummaries) {
  project_.database({"src/helpers.cc", "src/main.cc", "src/middle.cc"});
  lint({"-p", "build", "--emit-summaries", "sums.json"});
  const auto refusal = [&] {
    const Outcome outcome = lint({"-p", "build", "--use-summaries", "sums.json", "src/main.cc"});
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    return outcome.err;
  };
  EXPECT_EQ(lint({"-p", "build", "--use-summaries", "sums.json", "src/main.cc"}).exit_code, 1);
  project_.write("src/helpers.h", project_.read("src/helpers.h") + "\n");
  EXPECT_EQ(refusal(),
            "xferlint: error: sums.json was made before src/helpers.h changed; make it again "
            "with xferlint --emit-summaries\n");
  project_.write("sums.json", project_.read("sums.json").substr(0, 500));
  EXPECT_THAT(refusal(), HasSubstr(": not JSON: the text ends too early; make it again with"));
}

/// The rules that analyzer/README.md shows.
TEST_F(CrossFile, ANinjaBuild) {
  project_.write("build.ninja",
                 std::string("flags = ") + kFlags +
                     "\n"
                     "rule summarise\n"
                     "  command = " XFERLINT
                     " --root . --emit-summaries $out $in -- $flags\n"
                     "rule merge\n"
                     "  command = " XFERLINT
                     " --root . --merge-summaries $out $in\n"
                     "rule lint\n"
                     "  command = " XFERLINT
                     " --root . --use-summaries $sums --format json "
                     "-o $out $in -- $flags; [ $$? -le 1 ]\n"
                     "build s/helpers.json: summarise src/helpers.cc | src/helpers.h\n"
                     "build s/middle.json: summarise src/middle.cc | src/helpers.h\n"
                     "build s/main.json: summarise src/main.cc | src/helpers.h\n"
                     "build sums: merge s/helpers.json s/middle.json s/main.json\n"
                     "rule summarise_with\n"
                     "  command = " XFERLINT
                     " --root . --use-summaries $sums "
                     "--emit-summaries $out $in -- $flags\n"
                     "build t/helpers.json: summarise_with src/helpers.cc | sums\n"
                     "  sums = sums\n"
                     "build t/middle.json: summarise_with src/middle.cc | sums\n"
                     "  sums = sums\n"
                     "build t/main.json: summarise_with src/main.cc | sums\n"
                     "  sums = sums\n"
                     "build sums2: merge t/helpers.json t/middle.json t/main.json\n"
                     "build helpers.report: lint src/helpers.cc | sums2\n"
                     "  sums = sums2\n"
                     "build middle.report: lint src/middle.cc | sums2\n"
                     "  sums = sums2\n"
                     "build main.report: lint src/main.cc | sums2\n"
                     "  sums = sums2\n");
  const Outcome outcome = run({{"ninja", "-k0"}, {}, project_.path().string(), ""});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(places(nlohmann::json::parse(project_.read("main.report"))), ElementsAre(kFound));
  EXPECT_THAT(places(nlohmann::json::parse(project_.read("middle.report"))), IsEmpty());
  EXPECT_THAT(places(nlohmann::json::parse(project_.read("helpers.report"))), IsEmpty());
}

}  // namespace
}  // namespace xfer::lint
