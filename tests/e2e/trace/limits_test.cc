// Programs that may not write what the tracer writes: they lose the trace, and nothing else. One
// line says so.

#include "trace_fixture.h"

namespace xfer::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// `words` in a process whose files may have so many blocks of 512 bytes.
std::vector<std::string> limited(int blocks, const std::vector<std::string>& words) {
  std::vector<std::string> all = {"/bin/sh", "-c",
                                  "ulimit -f " + std::to_string(blocks) + "; exec \"$0\" \"$@\""};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

class LimitsTest : public TraceTest {
 protected:
#if defined(__SANITIZE_THREAD__)
  void SetUp() override {
    GTEST_SKIP()
        << "a shell that was not built with ThreadSanitizer cannot load a library that was";
  }
#endif
  /// Traced, with all that is said in `out`.
  CommandResult through_a_pipe(const std::vector<std::string>& program) {
    std::vector<std::string> words = {"/bin/bash", "-c",
                                      "set -o pipefail; \"$0\" \"$@\" 2>&1 | cat", XFER_XFERTRACE,
                                      "--emulate"};
    words.insert(words.end(), program.begin(), program.end());
    return run_command(words);
  }
  CommandResult preloaded(const std::vector<std::string>& words,
                          const std::string& folder_of_trace) {
    return run_command(
        words, {{"LD_PRELOAD", std::string(XFER_EMULATED_CUDART) + ":" + XFER_TRACER_LIBRARY},
                {"XFERCHECK_EMULATE", "1"},
                {"TMPDIR", folder_of_trace}});
  }
};

// Of one block, the beginning of the trace is written.
TEST_F(LimitsTest, AProgramUnderAFileLimitEndsAsItWouldAlone) {
  for (const int blocks : {1, 2}) {
    const CommandResult result = trace(limited(blocks, {XFER_CASES, "exit7"}));
    EXPECT_EQ(result.signal, 0) << blocks << result.err;
    EXPECT_EQ(result.exit_code, 7) << blocks << result.err;
  }
  // The messages are lost too, where they go to a file.
  EXPECT_EQ(trace(limited(0, {XFER_CASES, "exit7"})).exit_code, 7);
}

TEST_F(LimitsTest, OneLineSaysWhatWasLostAndWhy) {
  CommandResult result = through_a_pipe(limited(0, {XFER_CASES, "exit7"}));
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_THAT(result.out, HasSubstr("not tracing: "));
  EXPECT_THAT(result.out, HasSubstr("File too large; raise the limit on the size of files"));

  result = through_a_pipe(limited(1, {XFER_CASES, "exit7"}));
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_THAT(result.out, HasSubstr(" of the trace could not be written to "));
  EXPECT_THAT(result.out, HasSubstr(": File too large; the report is of the rest; raise the limit "
                                    "on the size of files (ulimit -f)\n"));

  // Of a program that dies, the handler of the signal writes.
  result = through_a_pipe(limited(1, {XFER_CASES, "abort"}));
  EXPECT_EQ(result.exit_code, 128 + SIGABRT);
  EXPECT_THAT(result.out, HasSubstr(" of the trace could not be written to "));

  result = through_a_pipe({XFER_CASES, "exit7"});
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_THAT(result.out, Not(HasSubstr("could not be written")));
}

TEST_F(LimitsTest, AFileOfTheProgramsOwnStillRaisesTheSignal) {
  EXPECT_EQ(trace(limited(0, {XFER_CASES, "repeated"})).signal, SIGXFSZ) << "its output is a file";
}

TEST_F(LimitsTest, XfertraceItselfFailsWithALineAndNotByTheSignal) {
  const CommandResult result =
      run_command(limited(0, {XFER_XFERTRACE, "--emulate", "--format", "json", "-o",
                              file("report.json"), "/bin/true"}));
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.exit_code, 2) << "the report cannot be written";
}

TEST_F(LimitsTest, AReportAtExitEndsNoProgram) {
  const CommandResult result = preloaded(limited(1, {XFER_CASES, "exit7"}), folder_);
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.exit_code, 7);
}

TEST_F(LimitsTest, AFolderThatIsNotThereIsSaid) {
  const CommandResult result = preloaded({XFER_CASES, "exit7"}, file("none"));
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_THAT(result.err,
              HasSubstr("No such file or directory; set TMPDIR to a writable folder\n"));
}

// As a program that ends with nobody reading what it says.
TEST_F(LimitsTest, NobodyReadsWhatTheTracerSays) {
  const CommandResult result =
      preloaded({"/bin/bash", "-c", "\"$0\" exit7 2> >(:); echo code=$?", XFER_CASES}, folder_);
  EXPECT_EQ(result.out, "code=7\n");
}

}  // namespace
}  // namespace xfer::test
