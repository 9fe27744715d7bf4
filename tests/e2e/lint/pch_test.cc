// Precompiled headers change how long a run takes, and nothing else.

#include <gmock/gmock.h>

#include <regex>
#include <thread>

#include "program.h"

namespace xfer::lint {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::SizeIs;

/// Runs that go on at the same time may end in different seconds.
std::string without_date(const std::string& report) {
  return std::regex_replace(report, std::regex("\ndate: [^\n]*"), "");
}

class LintPch : public testing::Test {
 protected:
  LintPch() {
    for (int i = 0; i < 4; ++i) {
      files_.push_back("f" + std::to_string(i) + ".cc");
      project_.write(files_.back(), kDiscard);
    }
    project_.database(files_);
  }

  /// Of a parse.
  nlohmann::json findings(std::vector<std::string> arguments = {}) {
    arguments.push_back("--no-stored-facts");
    return project_.findings(std::move(arguments));
  }

  int built(const nlohmann::json& report) { return report.at("stats").at("pch_built"); }
  int used(const nlohmann::json& report) { return report.at("stats").at("pch_used"); }

  std::vector<fs::path> cached(const std::string& extension) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(project_.path() / "cache" / "xfercheck"))
      if (entry.path().extension() == extension) found.push_back(entry.path());
    return found;
  }

  Project project_;
  std::vector<std::string> files_;
};

TEST_F(LintPch, BuiltOnceUsedFromThenOn) {
  const nlohmann::json without = findings({"--no-pch"});
  EXPECT_EQ(used(without), 0);
  EXPECT_THAT(without.at("findings"), SizeIs(4));
  const nlohmann::json first = findings({"-j", "2"});
  EXPECT_EQ(built(first), 1);
  EXPECT_EQ(used(first), 4);
  const nlohmann::json second = findings({"-j", "2"});
  EXPECT_EQ(built(second), 0);
  EXPECT_EQ(used(second), 4);
  EXPECT_EQ(first.at("findings"), without.at("findings"));
  EXPECT_EQ(second.at("findings"), without.at("findings"));
}

TEST_F(LintPch, OneFileBuildsItAtTheSecondRun) {
  EXPECT_EQ(built(findings({"f0.cc"})), 0);
  const nlohmann::json second = findings({"f0.cc"});
  EXPECT_EQ(built(second), 1);
  EXPECT_EQ(used(second), 1);
}

TEST_F(LintPch, RebuiltWhenAHeaderChanges) {
  const Project library;
  fs::create_directories(library.path() / "torch");
  fs::copy_file(XFER_LINT_MOCK "/torch/torch.h", library.path() / "torch" / "torch.h");
  std::map<std::string, std::string> commands;
  for (const std::string& file : files_)
    commands[file] = "c++ -std=c++17 -isystem " + library.path().string() + " -c " +
                     (project_.path() / file).string();
  project_.commands(commands);
  EXPECT_EQ(built(findings({"-j", "2"})), 1);
  library.write("torch/torch.h",
                library.read("torch/torch.h") + "\nnamespace torch { struct New {}; }\n");
  for (const std::string& file : files_)
    project_.write(file, std::string(kDiscard) + "torch::New value;\n");
  const nlohmann::json report = findings({"-j", "2"});
  EXPECT_EQ(built(report), 1);
  EXPECT_THAT(report.at("stats").at("parse_failures"), SizeIs(0));
  EXPECT_THAT(report.at("findings"), SizeIs(4));
}

TEST_F(LintPch, DamagedOnesAreNotBelieved) {
  findings({"-j", "2"});
  ASSERT_THAT(cached(".pch"), SizeIs(1));
  std::ofstream(cached(".pch").front(), std::ios::binary) << "not a precompiled header";
  const nlohmann::json report = findings();
  EXPECT_THAT(report.at("findings"), SizeIs(4));
  EXPECT_THAT(report.at("stats").at("parse_failures"), SizeIs(0));
}

TEST_F(LintPch, HeadersThatDoNotCompileAloneAreNoFailure) {
  const Project library;
  library.write("torch/torch.h", "inline Needed value();\n");
  std::map<std::string, std::string> commands;
  for (const std::string& file : files_) {
    project_.write(file, "#include <torch/torch.h>\nint x;\n");
    commands[file] =
        "c++ -isystem " + library.path().string() + " -c " + (project_.path() / file).string();
  }
  project_.commands(commands);
  const Outcome outcome = project_.lint({"-p", "build", "-j", "1"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("Needed"));
  EXPECT_THAT(outcome.err, HasSubstr("4 did not parse completely"));
}

/// Headers that parse come from a precompiled header, also in a file with errors elsewhere.
TEST_F(LintPch, UsedByFilesWithErrors) {
  for (const char* broken : {"#include <missing/header.h>\n", "int x = undeclared;\n"}) {
    for (const std::string& file : files_) project_.write(file, std::string(kDiscard) + broken);
    const nlohmann::json without = findings({"--no-pch"});
    EXPECT_THAT(without.at("findings"), SizeIs(4));
    EXPECT_THAT(without.at("stats").at("parse_failures"), SizeIs(4));
    const nlohmann::json report = findings({"-j", "1"});
    EXPECT_GE(used(report), 3);  // one parse without may be needed to see whose error it is
    EXPECT_EQ(report.at("findings"), without.at("findings"));
    EXPECT_EQ(report.at("stats").at("parse_failures"), without.at("stats").at("parse_failures"));
  }
}

/// A library that is not installed, among the first headers.
TEST_F(LintPch, HoldsWhatIsThere) {
  for (const std::string& file : files_)
    project_.write(file, "#include <opencv2/missing.hpp>\n" + std::string(kDiscard));
  const nlohmann::json report = findings({"-j", "2"});
  EXPECT_EQ(built(report), 1);
  EXPECT_EQ(used(report), 4);
  EXPECT_THAT(report.at("stats").at("parse_failures"), SizeIs(4));
}

/// Files that start alike share what they start with.
TEST_F(LintPch, OneForFilesThatStartAlike) {
  const Project library;
  std::map<std::string, std::string> commands;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const std::string own = "opencv2/part" + std::to_string(i) + ".hpp";
    library.write(own, "#pragma once\nstruct Part {};\n");
    std::string text = kDiscard;
    text.insert(text.find('\n') + 1, "#include <" + own + ">\nPart part;\n");
    project_.write(files_[i], text);
    commands[files_[i]] = "c++ -std=c++17 -isystem " XFER_LINT_MOCK " -isystem " +
                          library.path().string() + " -c " + (project_.path() / files_[i]).string();
  }
  project_.commands(commands);
  for (int run = 0; run < 2; ++run) {
    const nlohmann::json report = findings({"-j", "2"});
    EXPECT_EQ(built(report), run == 0 ? 1 : 0);
    EXPECT_EQ(used(report), 4);
    EXPECT_THAT(report.at("findings"), SizeIs(4));
  }
  const nlohmann::json alone = findings({"f0.cc"});
  EXPECT_EQ(built(alone), 0);
  EXPECT_EQ(used(alone), 1);
}

/// The headers in front of one that does not compile alone.
TEST_F(LintPch, EndsBeforeAHeaderWithErrors) {
  const Project library;
  library.write("opencv2/broken.hpp", "inline Needed value();\n");
  const auto insert = [&](const std::string& lines) {
    std::string text = kDiscard;
    text.insert(text.find('\n') + 1, lines);
    for (const std::string& file : files_) project_.write(file, text);
  };
  insert("struct Needed {};\n#include <opencv2/broken.hpp>\n");
  std::map<std::string, std::string> commands;
  for (const std::string& file : files_) {
    commands[file] = "c++ -std=c++17 -isystem " XFER_LINT_MOCK " -isystem " +
                     library.path().string() + " -c " + (project_.path() / file).string();
  }
  project_.commands(commands);
  const nlohmann::json whole = findings({"-j", "2"});
  EXPECT_EQ(built(whole), 1);
  EXPECT_THAT(whole.at("stats").at("parse_failures"), SizeIs(0));
  insert("#include <opencv2/broken.hpp>\n");
  for (int run = 0; run < 2; ++run) {
    const nlohmann::json report = findings({"-j", "1"});
    EXPECT_EQ(built(report), 0) << "the header in front is there already";
    EXPECT_GE(used(report), 3);
    EXPECT_THAT(report.at("findings"), SizeIs(4));
    EXPECT_THAT(report.at("stats").at("parse_failures"), SizeIs(4));
  }
}

TEST_F(LintPch, NoCacheFolderIsNoFailure) {
  const Outcome outcome = project_.lint({"-p", "build"}, "", {{"XDG_CACHE_HOME", "/proc/none"}});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
}

TEST_F(LintPch, RunsAtTheSameTimeShareIt) {
  std::vector<Outcome> outcomes(4);
  {
    std::vector<std::jthread> runs;
    for (Outcome& outcome : outcomes)
      runs.emplace_back([&] { outcome = project_.lint({"-p", "build", "-j", "2"}); });
  }
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_EQ(without_date(outcome.out), without_date(outcomes.front().out));
  }
  EXPECT_THAT(cached(".tmp"), SizeIs(0));
}

}  // namespace
}  // namespace xfer::lint
