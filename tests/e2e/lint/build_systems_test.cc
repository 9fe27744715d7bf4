// xferlint in build systems: it writes a depfile, and stands where a compiler would.

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "program.h"

namespace xfer::lint {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class BuildSystems : public testing::Test {
 protected:
  BuildSystems() {
    project_.write(".git/HEAD", "");
    project_.write("src/part.h", "#include <torch/torch.h>\n");
    project_.write("src/a.cc", "#include \"part.h\"\n" + std::string(kDiscard));
  }

  Outcome emit(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"--emit-facts", "a.facts", "--depfile", "a.d",
                                          "src/a.cc"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.insert(arguments.end(), {"--", "-std=c++17", "-isystem", XFER_LINT_MOCK});
    return project_.lint(arguments);
  }

  /// The names in a.d that begin with the project's folder, from there; sorted.
  std::vector<std::string> own_files(const std::string& depfile = "a.d") const {
    std::istringstream text(project_.read(depfile));
    const std::string folder = project_.path().string() + "/";
    std::vector<std::string> files;
    for (std::string word; text >> word;)
      if (word.starts_with(folder)) files.push_back(word.substr(folder.size()));
    std::ranges::sort(files);
    return files;
  }

  Project project_;
};

TEST_F(BuildSystems, TheDepfileNamesWhatTheParseRead) {
  ASSERT_EQ(emit().exit_code, 0);
  EXPECT_THAT(project_.read("a.d"), AllOf(StartsWith("a.facts:"), HasSubstr("torch/torch.h")));
  EXPECT_THAT(own_files(), ElementsAre("src/a.cc", "src/part.h"));
}

/// Facts of an earlier run, and headers that a precompiled one brings, are read from the cache.
TEST_F(BuildSystems, TheDepfileIsTheSameWithTheCache) {
  ASSERT_EQ(emit({"--no-pch", "--no-stored-facts"}).exit_code, 0);
  const std::string parsed = project_.read("a.d");
  for (int run = 0; run < 4; ++run) {
    // The second and third parse use the precompiled header; the fourth parses nothing.
    if (run < 3) project_.write("src/a.cc", project_.read("src/a.cc") + "\n");
    ASSERT_EQ(emit().exit_code, 0);
    EXPECT_EQ(project_.read("a.d"), parsed) << "run " << run;
  }
}

/// Facts of another xferlint are refused, so they are made again when it changes.
TEST_F(BuildSystems, TheProgramIsInTheDepfile) {
  ASSERT_EQ(emit().exit_code, 0);
  EXPECT_THAT(project_.read("a.d"), HasSubstr(fs::canonical(XFERLINT).string()));
}

TEST_F(BuildSystems, TheModelsAreInTheDepfile) {
  project_.write("own.yaml", "library: own\n");
  const Outcome outcome = emit({"--models", "own.yaml"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(own_files(), ElementsAre("own.yaml", "src/a.cc", "src/part.h"));
}

TEST_F(BuildSystems, ADepfileWantsFacts) {
  const Outcome outcome = project_.lint({"--depfile", "a.d", "src/a.cc", "--", "-std=c++17"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--depfile: it says what --emit-facts was made from"));
}

TEST_F(BuildSystems, InTheCompilersPlace) {
  const std::vector<std::string> compile = {
      "/usr/bin/c++", "-std=c++17", "-isystem", XFER_LINT_MOCK, "-MD", "-MT",     "rule",
      "-MF",          "x.d",        "-o",       "x.o",          "-c",  "src/a.cc"};
  std::vector<std::string> arguments = {"--root", ".", "--as-compiler", "--"};
  arguments.insert(arguments.end(), compile.begin(), compile.end());
  const Outcome outcome = project_.lint(arguments);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out + outcome.err, "");
  EXPECT_THAT(project_.read("x.d"), StartsWith("rule:"));
  EXPECT_THAT(own_files("x.d"), ElementsAre("src/a.cc", "src/part.h"));
  const Outcome merged = project_.lint({"--merge", "x.o", "--format", "json"});
  EXPECT_THAT(places(nlohmann::json::parse(merged.out)),
              ElementsAre("discarded-transfer src/a.cc:4"));
}

TEST_F(BuildSystems, ResponseFilesOfTheCompiler) {
  project_.write("flags.rsp", "-std=c++17 -isystem " XFER_LINT_MOCK);
  const Outcome outcome =
      project_.lint({"--as-compiler", "--", "c++", "@flags.rsp", "-o", "x.o", "-c", "src/a.cc"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(BuildSystems, NoCompileCommand) {
  for (const auto& [arguments, problem] : std::map<std::vector<std::string>, std::string>{
           {{"--as-compiler"}, "give the whole compile command after --"},
           {{"--as-compiler", "src/a.cc", "--", "c++"}, "give the whole compile command after --"},
           {{"--as-compiler", "--", "c++", "-o", "a", "a.o"}, "it has no -c"},
           {{"--as-compiler", "--", "c++", "-c", "gone.cc", "-o", "a.o"}, "gone.cc: no such file"},
       }) {
    const Outcome outcome = project_.lint(arguments);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(problem));
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }
}

/// The command line of a large project does not hold the names of its facts.
TEST_F(BuildSystems, AListOfFacts) {
  ASSERT_EQ(emit().exit_code, 0);
  project_.write("list", "a.facts\n\n");
  EXPECT_EQ(project_.lint({"--merge", "@list"}).exit_code, 1);
  const Outcome outcome = project_.lint({"--merge", "@gone"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("@gone: the list cannot be read"));
}

TEST_F(BuildSystems, NinjaReadsTheDepfile) {
  project_.write(
      "build.ninja",
      "rule facts\n"
      "  command = " XFERLINT
      " --root . --emit-facts $out --depfile $out.d $in -- -std=c++17 -isystem " XFER_LINT_MOCK
      "\n"
      "  depfile = $out.d\n"
      "  deps = gcc\n"
      "build a.facts: facts src/a.cc\n");
  const auto ninja = [&] {
    const Outcome outcome = run({{"ninja"}, {}, project_.path().string(), ""});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
    return outcome.out;
  };
  // The standard library's headers are found by way of links and `..`.
  project_.write("src/part.h", "#include <torch/torch.h>\n#include <vector>\n");
  EXPECT_THAT(ninja(), HasSubstr("[1/1]"));
  EXPECT_THAT(ninja(), HasSubstr("no work to do"));
  project_.write("src/part.h", "#include <torch/torch.h>\n\n");
  EXPECT_THAT(ninja(), HasSubstr("[1/1]"));
}

}  // namespace
}  // namespace xfer::lint
