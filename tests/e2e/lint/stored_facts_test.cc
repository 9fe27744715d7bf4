// Facts of earlier runs change how long a run takes, and nothing else.

#include <gmock/gmock.h>

#include <thread>

#include "program.h"

namespace xfer::lint {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kCaller =
    "#include \"helpers.h\"\n"
    "torch::Tensor run(torch::Tensor x) {\n"
    "  return helper(x);\n"
    "}\n";
constexpr const char* kHeader =
    "#pragma once\n"
    "#include <torch/torch.h>\n"
    "inline torch::Tensor helper(torch::Tensor x) {\n"
    "  return x.to(torch::kCUDA);\n"
    "}\n";
constexpr const char* kHeaderWithFinding =
    "#pragma once\n"
    "#include <torch/torch.h>\n"
    "inline torch::Tensor helper(torch::Tensor x) {\n"
    "  x.to(torch::kCUDA); return x;\n"
    "}\n";

class LintStoredFacts : public testing::Test {
 protected:
  LintStoredFacts() {
    project_.write(".git/HEAD", "");
    project_.write("a.cc", kCaller);
    project_.write("b.cc", kDiscard);
    project_.write("include/helpers.h", kHeader);
    database();
  }

  void database(const std::string& flags = "") {
    project_.database({"a.cc", "b.cc"},
                      "-I" + (project_.path() / "include").string() + " " + flags);
  }

  static int used(const nlohmann::json& report) {
    return report.at("stats").at("stored_facts_used");
  }
  /// How many files the next run takes from the store; its findings are those of a parse.
  int used_rightly(std::vector<std::string> arguments = {}) {
    const nlohmann::json report = project_.findings(arguments);
    arguments.push_back("--no-stored-facts");
    const nlohmann::json parsed = project_.findings(arguments);
    EXPECT_EQ(used(parsed), 0);
    EXPECT_EQ(report.at("findings"), parsed.at("findings"));
    EXPECT_EQ(report.at("stats").at("parse_failures"), parsed.at("stats").at("parse_failures"));
    return used(report);
  }

  std::vector<fs::path> entries(const std::string& extension = ".facts") {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(project_.path() / "cache/xfercheck/facts"))
      if (entry.path().extension() == extension) found.push_back(entry.path());
    return found;
  }

  Project project_;
};

TEST_F(LintStoredFacts, UsedFromTheSecondRunOn) {
  EXPECT_EQ(used_rightly(), 0);
  EXPECT_EQ(used_rightly(), 2);
  EXPECT_EQ(used_rightly({"-j", "1"}), 2);
  EXPECT_EQ(used_rightly({"-j", "3"}), 2);
  EXPECT_EQ(used_rightly({"--no-pch"}), 2);
  const Outcome text = project_.lint({"-p", "build", "--stats"});
  EXPECT_THAT(text.err, HasSubstr("stored_facts_used: 2"));
  EXPECT_THAT(text.err, HasSubstr("stored facts: a.cc"));
  EXPECT_EQ(text.exit_code, 1);
}

TEST_F(LintStoredFacts, FactsFilesAreTheSame) {
  project_.lint({"-p", "build", "--emit-facts", "one.facts", "--no-stored-facts"});
  project_.lint({"-p", "build", "--emit-facts", "two.facts"});
  project_.lint({"-p", "build", "--emit-facts", "three.facts"});
  EXPECT_EQ(project_.read("one.facts"), project_.read("two.facts"));
  EXPECT_EQ(project_.read("one.facts"), project_.read("three.facts"));
}

TEST_F(LintStoredFacts, AChangedFileIsParsedAgain) {
  project_.findings();
  project_.write("b.cc", kClean);
  EXPECT_EQ(used_rightly(), 1);
  EXPECT_THAT(project_.findings().at("findings"), IsEmpty());
  project_.write("b.cc", kDiscard);
  EXPECT_EQ(used_rightly(), 2) << "as it was before";
}

TEST_F(LintStoredFacts, AChangedHeader) {
  project_.findings();
  project_.write("include/helpers.h", kHeaderWithFinding);
  EXPECT_EQ(used_rightly(), 1);
  EXPECT_THAT(places(project_.findings()),
              ElementsAre("discarded-transfer b.cc:3", "discarded-transfer include/helpers.h:4"));
}

TEST_F(LintStoredFacts, AHeaderThatIsWrittenAgainAsItWas) {
  project_.findings();
  project_.write("include/helpers.h", kHeader);
  fs::last_write_time(project_.path() / "include/helpers.h",
                      fs::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_EQ(used_rightly(), 2);
}

TEST_F(LintStoredFacts, AHeaderThatIsFoundFirstNow) {
  project_.findings();
  project_.write("helpers.h", kHeaderWithFinding);  // beside the file that includes it
  EXPECT_EQ(used_rightly(), 1);
}

TEST_F(LintStoredFacts, AHeaderOfASystemFolder) {
  const Project library;
  library.write("extra/place.h", "#define OTHER\n");
  database("-isystem " + library.path().string());
  project_.write("b.cc",
                 std::string("#include <extra/place.h>\n#ifdef FIND\n") + kDiscard + "#endif\n");
  project_.findings();
  EXPECT_EQ(used_rightly(), 2);
  EXPECT_THAT(project_.findings().at("findings"), IsEmpty());
  library.write("extra/place.h", "#define FIND\n");
  EXPECT_EQ(used_rightly(), 1);
  EXPECT_THAT(places(project_.findings()), ElementsAre("discarded-transfer b.cc:5"));
}

/// The same with as many bytes, a moment later.
TEST_F(LintStoredFacts, AHeaderOfASystemFolderThatChangesAtOnce) {
  const Project library;
  library.write("extra/place.h", "#define PLACE torch::kCUDA\n");
  database("-isystem " + library.path().string());
  project_.write("b.cc", "#include <extra/place.h>\n");
  project_.findings();
  const auto time = fs::last_write_time(library.path() / "extra/place.h");
  library.write("extra/place.h", "#define PLACE torch::kMETA\n");
  fs::last_write_time(library.path() / "extra/place.h", time);
  EXPECT_EQ(used_rightly(), 1);
}

TEST_F(LintStoredFacts, AChangedFlag) {
  project_.findings();
  database("-DOTHER");
  EXPECT_EQ(used_rightly(), 0);
  database();
  EXPECT_EQ(used_rightly(), 2);
}

TEST_F(LintStoredFacts, AChangedModelsFile) {
  const auto models = [&](const std::string& function) {
    project_.write("own.yaml",
                   "library: own\nheaders: [own.h]\nfunctions:\n"
                   "  - {names: [" +
                       function + "], on: [own], kind: transfer}\n");
  };
  models("up");
  const std::vector<std::string> with = {"--models", "own.yaml"};
  project_.findings(with);
  EXPECT_EQ(used_rightly(with), 2);
  models("down");
  EXPECT_EQ(used_rightly(with), 0);
  EXPECT_EQ(used_rightly(), 0) << "no models";
}

TEST_F(LintStoredFacts, AnotherXferlint) {
  project_.findings();
  const fs::path other = project_.path() / "xferlint";
  fs::copy_file(XFERLINT, other);
  std::ofstream(other, std::ios::app) << "x";
  const Outcome outcome = run({{other.string(), "-p", "build", "--format", "json"},
                               {{"XDG_CACHE_HOME", (project_.path() / "cache").string()}},
                               project_.path().string(),
                               ""});
  EXPECT_EQ(used(nlohmann::json::parse(outcome.out)), 0);
  EXPECT_EQ(used_rightly(), 2);
}

TEST_F(LintStoredFacts, AnotherEnvironment) {
  project_.write("elsewhere/helpers.h", kHeaderWithFinding);
  database();
  project_.findings();
  const Outcome outcome = project_.lint({"-p", "build", "--format", "json"}, "",
                                        {{"CPLUS_INCLUDE_PATH", project_.path() / "elsewhere"}});
  EXPECT_EQ(used(nlohmann::json::parse(outcome.out)), 0);
}

TEST_F(LintStoredFacts, DamagedOnesAreNotBelieved) {
  project_.findings();
  ASSERT_THAT(entries(), SizeIs(2));
  for (const fs::path& entry : entries()) {
    const std::string name = fs::relative(entry, project_.path());
    const std::string whole = project_.read(name);
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{20}, whole.size() / 2, whole.size() - 1}) {
      project_.write(name, whole.substr(0, size));
      EXPECT_EQ(used_rightly(), 1) << size;
    }
    for (const std::size_t at : {std::size_t{40}, whole.size() / 2, whole.size() - 9}) {
      std::string changed = whole;
      changed[at] ^= 1;
      project_.write(name, changed);
      EXPECT_EQ(used_rightly(), 1) << at;
    }
  }
  EXPECT_EQ(used_rightly(), 2) << "they were replaced";
}

/// As those of a disk that is full.
TEST_F(LintStoredFacts, AFolderThatCannotBeWritten) {
  project_.write("cache/xfercheck/facts", "not a folder");
  for (int run = 0; run < 2; ++run) EXPECT_EQ(used_rightly(), 0);
  for (const char* cache : {"/proc/none", "/dev/full"}) {
    const Outcome outcome = project_.lint({"-p", "build"}, "", {{"XDG_CACHE_HOME", cache}});
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("b.cc:3"));
  }
}

TEST_F(LintStoredFacts, ErrorsAreTheSame) {
  project_.write(
      "a.cc", std::string("#include \"missing.h\"\n") + kDiscard + "void g() { undeclared(1); }\n");
  const Outcome first = project_.lint({"-p", "build"});
  const Outcome second = project_.lint({"-p", "build"});
  EXPECT_EQ(first.exit_code, 3);
  EXPECT_EQ(second.exit_code, 3);
  EXPECT_EQ(first.err, second.err);
  EXPECT_EQ(used_rightly(), 2);
  project_.write("include/missing.h", "inline void undeclared(int) {}\n");
  EXPECT_EQ(used_rightly(), 1);
  EXPECT_EQ(project_.lint({"-p", "build"}).exit_code, 1);
}

TEST_F(LintStoredFacts, ACrashIsNotKept) {
  project_.write("a.cc", "#pragma clang __debug crash\n");
  for (int run = 0; run < 2; ++run) {
    const Outcome outcome = project_.lint({"-p", "build"});
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("a.cc: error: not analysed: the worker crashed"));
  }
}

TEST_F(LintStoredFacts, SuppressionsAndFixesWork) {
  project_.write("a.cc",
                 "#include <torch/torch.h>\n"
                 "void quiet(torch::Tensor x) {\n"
                 "  x.to(torch::kCUDA);  // NOLINT\n"
                 "}\n");
  project_.write("b.cc", kDiscardThenUse);
  project_.findings();
  const nlohmann::json report = project_.findings();
  EXPECT_EQ(used(report), 2);
  EXPECT_EQ(report.at("stats").at("suppressed"), 1);
  EXPECT_THAT(places(report), ElementsAre("discarded-transfer b.cc:3"));
  EXPECT_THAT(project_.lint({"-p", "build"}).out, HasSubstr("  x.to(torch::kCUDA);"));
  EXPECT_EQ(project_.lint({"-p", "build", "--fix"}).exit_code, 0);
  EXPECT_THAT(project_.read("b.cc"), HasSubstr("x = x.to(torch::kCUDA);"));
  EXPECT_EQ(used_rightly(), 1);
}

TEST_F(LintStoredFacts, TwoRunsAtOnce) {
  const std::string expected = project_.findings({"--no-stored-facts"}).at("findings").dump();
  std::vector<std::string> found(6);
  {
    std::vector<std::jthread> runs;
    for (std::string& one : found)
      runs.emplace_back([&] { one = project_.findings({"-j", "1"}).at("findings").dump(); });
  }
  EXPECT_THAT(found, testing::Each(expected));
  EXPECT_THAT(entries(".tmp"), IsEmpty());
  EXPECT_EQ(used_rightly(), 2);
}

/// The list of files that a precompiled header was made of is stored once.
TEST_F(LintStoredFacts, WithAPrecompiledHeader) {
  const Project library;
  fs::create_directories(library.path() / "torch");
  fs::copy_file(XFER_LINT_MOCK "/torch/torch.h", library.path() / "torch/torch.h");
  std::map<std::string, std::string> commands;
  for (int i = 0; i < 4; ++i) {
    const std::string file = "f" + std::to_string(i) + ".cc";
    project_.write(file, kDiscard);
    commands[file] = "c++ -std=c++17 -isystem " + library.path().string() + " -c " +
                     (project_.path() / file).string();
  }
  project_.commands(commands);
  EXPECT_EQ(project_.findings({"-j", "2"}).at("stats").at("pch_used"), 4);
  EXPECT_EQ(used_rightly(), 4);
  EXPECT_THAT(entries(".files"), SizeIs(1));
  for (const auto& entry : fs::directory_iterator(project_.path() / "cache/xfercheck"))
    if (entry.is_regular_file()) fs::remove(entry);
  EXPECT_EQ(used(project_.findings()), 4) << "the precompiled header itself does not matter";
  library.write("torch/torch.h",
                library.read("torch/torch.h") + "\nnamespace torch { struct New {}; }\n");
  EXPECT_EQ(used_rightly(), 0);
}

}  // namespace
}  // namespace xfer::lint
