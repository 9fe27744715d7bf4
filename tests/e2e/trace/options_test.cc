// XFERCHECK_OPTIONS as a person sets them, under xfertrace and with the library preloaded alone;
// and programs that have signal handlers of their own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "run_command.h"

namespace xfer::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class OptionsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("trace_options_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text = {}) const {
    if (!text.empty()) std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  /// The content of the one file of this name and a number.
  std::string log(const std::string& name) const {
    std::ostringstream text;
    int files = 0;
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().stem() == name) {
        text << std::ifstream(entry.path()).rdbuf();
        ++files;
      }
    EXPECT_EQ(files, 1) << name;
    return text.str();
  }

  static CommandResult launched(const std::string& options, const std::string& name,
                                std::vector<std::string> words = {}) {
    words.insert(words.begin(), {XFER_XFERTRACE, "--emulate"});
    words.insert(words.end(), {XFER_CASES, name});
    return run_command(words, {{"XFERCHECK_OPTIONS", options}});
  }
  CommandResult preloaded(const std::string& options, const std::string& name) const {
    return run_command({XFER_CASES, name}, {{"LD_PRELOAD", std::string(XFER_EMULATED_CUDART) + ":" +
                                                               XFER_TRACER_LIBRARY},
                                            {"XFERCHECK_EMULATE", "1"},
                                            {"XFERCHECK_OPTIONS", options},
                                            {"TMPDIR", folder_.string()}});
  }

  fs::path folder_;
};

TEST_F(OptionsTest, TheLog) {
  for (const bool launch : {true, false}) {
    const std::string name = launch ? "launched" : "preloaded";
    const std::string options = "log_path=" + file(name) + ":no_such_option=1";
    const CommandResult result =
        launch ? launched(options, "repeated") : preloaded(options, "repeated");
    EXPECT_EQ(result.out, "repeated done\n");
    EXPECT_THAT(result.err, Not(HasSubstr("xfertrace:")));
    EXPECT_THAT(log(name), HasSubstr("[repeated-transfer]"));
    EXPECT_THAT(log(name), HasSubstr("there is no option 'no_such_option' (help=1 lists them)"));
  }
  EXPECT_THAT(preloaded("log_path=stdout", "repeated").out, HasSubstr("[repeated-transfer]"));
  EXPECT_THAT(launched("log_path=stdout", "repeated").out, HasSubstr("[repeated-transfer]"));
  const CommandResult no_folder = launched("log_path=/no/such/folder/log", "repeated");
  EXPECT_EQ(no_folder.exit_code, 0);
  EXPECT_THAT(no_folder.err, HasSubstr("log_path: /no/such/folder/log."));
  EXPECT_THAT(no_folder.err, HasSubstr("[repeated-transfer]"));
  const CommandResult nowhere = preloaded("log_path=/no/such/folder/log", "repeated");
  EXPECT_EQ(nowhere.exit_code, 0);
  EXPECT_THAT(nowhere.err, HasSubstr("log_path: the file cannot be written; stderr is used"));
  EXPECT_THAT(nowhere.err, HasSubstr("[repeated-transfer]"));
}

TEST_F(OptionsTest, AQuoteThatIsNotClosedCostsNoMoreThanItsOption) {
  for (const char* options : {"output='never:verbosity=0", "output=\"never:verbosity=0"}) {
    const CommandResult result = launched(options, "repeated");
    EXPECT_THAT(result.err, HasSubstr("the quote of 'output' is not closed")) << options;
    EXPECT_THAT(result.err, HasSubstr("[repeated-transfer]")) << options;
  }
}

TEST_F(OptionsTest, HelpIsPrintedOnceAndTheProgramRuns) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP()
      << "a library with ThreadSanitizer cannot come into a program that was built without";
#endif
  for (const CommandResult& result : {launched("help=1", "fresh"), preloaded("help=1", "fresh"),
                                      run_command({XFER_XFERTRACE, "/bin/echo", "fresh", "done"},
                                                  {{"XFERCHECK_OPTIONS", "help=1"}})}) {
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "fresh done\n");
    const std::string head = "XFERCHECK_OPTIONS=key=value:key=value\n";
    const auto first = result.err.find(head);
    ASSERT_NE(first, std::string::npos) << result.err;
    EXPECT_EQ(result.err.find(head, first + 1), std::string::npos) << result.err;
    EXPECT_THAT(result.err, HasSubstr("\n  log_path=\n"));
  }
}

TEST_F(OptionsTest, TheExitCodeOfFindings) {
  EXPECT_EQ(launched("exitcode=33", "repeated").exit_code, 33);
  EXPECT_EQ(launched("exitcode=33", "fresh").exit_code, 0);
  EXPECT_EQ(launched("exitcode=33", "repeated", {"--error-exitcode", "5"}).exit_code, 5);
  for (const char* end : {"repeated", "exit7", "_exit3", "quick_exit"})
    EXPECT_EQ(preloaded("exitcode=33", end).exit_code, 33) << end;
  EXPECT_EQ(preloaded("exitcode=33", "repeated").out, "repeated done\n") << "nothing is lost";
  EXPECT_EQ(preloaded("exitcode=33", "fresh").exit_code, 0);
  EXPECT_EQ(preloaded("exitcode=33", "segfault").signal, SIGSEGV);
  const CommandResult wrong = preloaded("exitcode=256", "repeated");
  EXPECT_EQ(wrong.exit_code, 0);
  EXPECT_THAT(wrong.err, HasSubstr("exitcode: expected a number from 0 to 255, got 256"));
}

TEST_F(OptionsTest, Suppressions) {
  const std::string good = file("good.supp", "repeated-transfer:cases.cu\n");
  const std::string options = "exitcode=33:suppressions=";
  EXPECT_EQ(launched(options + good, "repeated").exit_code, 0);
  EXPECT_EQ(preloaded(options + good, "repeated").exit_code, 0);
  // Together with those of the command line.
  const std::string other = file("other.supp", "*:nothing_of_this_name\n");
  EXPECT_EQ(launched(options + good, "repeated", {"--suppressions", other}).exit_code, 0);

  CommandResult missing = launched(options + file("none"), "repeated");
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_EQ(missing.out, "") << "the program did not run";
  missing = preloaded(options + file("none"), "repeated");
  EXPECT_EQ(missing.exit_code, 33);
  EXPECT_THAT(missing.err,
              HasSubstr("cannot be read: No such file or directory; everything is reported"));
  // An error that is found only at the end does not lose the trace.
  const CommandResult wrong = preloaded("suppressions=" + file("bad.supp", "x:y\n"), "repeated");
  EXPECT_THAT(wrong.err, HasSubstr("bad.supp:1: there is no rule 'x'"));
  EXPECT_THAT(wrong.err, HasSubstr("the trace is kept"));
}

TEST_F(OptionsTest, HaltOnError) {
  CommandResult result = launched("halt_on_error=1", "goes_on");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("halt_on_error: repeated-transfer in "));
  EXPECT_THAT(result.err, HasSubstr("[repeated-transfer]"));
  EXPECT_EQ(launched("halt_on_error=1:exitcode=33", "goes_on").exit_code, 33);
  result = launched("halt_on_error=1", "fresh");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  result = preloaded("halt_on_error=1", "repeated");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("halt_on_error needs xfertrace to start the program"));
}

TEST_F(OptionsTest, HandlersOfTheProgramsOwn) {
  for (const char* name : {"handlers_before", "handlers_after"}) {
    for (const CommandResult& result : {launched("", name), preloaded("", name)}) {
      EXPECT_EQ(result.exit_code, 0) << name << result.err;
      EXPECT_EQ(result.out, std::string(name) + " done\n");
      EXPECT_THAT(result.err, HasSubstr("[repeated-transfer]"));
    }
  }
}

}  // namespace
}  // namespace xfer::test
