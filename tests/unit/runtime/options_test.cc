#include "xfer/options.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <sstream>

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Options, ReadsEachType) {
  TracerOptions options;
  EXPECT_THAT(parse_options("hash=no:stack_depth=12:hash_max_bytes=3M:output=/tmp/a.xft", options),
              IsEmpty());
  EXPECT_FALSE(options.hash);
  EXPECT_EQ(options.stack_depth, 12u);
  EXPECT_EQ(options.hash_max_bytes, 3u << 20);
  EXPECT_EQ(options.output, "/tmp/a.xft");
}

TEST(Options, TakesColonsInQuotes) {
  TracerOptions options;
  EXPECT_THAT(parse_options("output='a:b.xft':hash=0", options), IsEmpty());
  EXPECT_EQ(options.output, "a:b.xft");
  EXPECT_FALSE(options.hash);
  TracerOptions again;
  EXPECT_THAT(parse_options(format_options(options), again), IsEmpty());
  EXPECT_EQ(again.output, options.output);
  EXPECT_EQ(again.hash, options.hash);
}

TEST(Options, SaysWhatItDoesNotUnderstandAndKeepsTheDefault) {
  TracerOptions options;
  EXPECT_THAT(
      parse_options("speed=9:hash=maybe:stacks:stack_depth=-1:stack_depth=99999999999G", options),
      ElementsAre(HasSubstr("no option 'speed'"), HasSubstr("hash: expected 0 or 1, got 'maybe'"),
                  HasSubstr("'stacks' has no value"), HasSubstr("got '-1'"),
                  HasSubstr("stays 32")));
  EXPECT_TRUE(options.hash);
}

TEST(Options, AsksForTheOptionThatWasMeant) {
  TracerOptions options;
  EXPECT_THAT(parse_options("hash_bugdet=1", options),
              ElementsAre("XFERCHECK_OPTIONS: there is no option 'hash_bugdet'; did you mean "
                          "'hash_budget'? (help=1 lists them)"));
}

TEST(Options, AnExitCodeIsOneByte) {
  TracerOptions options;
  EXPECT_THAT(parse_options("exitcode=255", options), IsEmpty());
  EXPECT_EQ(options.exitcode, 255u);
  EXPECT_THAT(parse_options("exitcode=256", options), ElementsAre(HasSubstr("from 0 to 255")));
  EXPECT_EQ(options.exitcode, 0u);
}

TEST(Options, ClosesQuotes) {
  TracerOptions options;
  EXPECT_THAT(parse_options("output='abc", options), ElementsAre(HasSubstr("not closed")));
}

TEST(Options, WhatIsWrittenIsReadAgain) {
  for (const char* path :
       {"a b", "a,b", "a:b", "a\tb", "'a", "\"a", "a'b", "a \"b\"", "a: 'b'", ""}) {
    TracerOptions options;
    options.output = path;
    TracerOptions read;
    EXPECT_THAT(parse_options(format_options(options), read), IsEmpty()) << path;
    EXPECT_EQ(read.output, path);
  }
}

TEST(Options, AProblemIsOneLine) {
  TracerOptions options;
  EXPECT_THAT(parse_options("hash='a\nb'", options), ElementsAre(HasSubstr("got 'a?b'")));
}

TEST(Options, HelpNamesEveryOption) {
  std::ostringstream out;
  print_options_help(out);
#define XFER_FLAG(type, name, default_value, help) EXPECT_THAT(out.str(), HasSubstr(#name "="));
#include "xfer/flags.inc"
#undef XFER_FLAG
}

TEST(Options, ExpandsPaths) {
  EXPECT_EQ(expand_path("t-%p.xft"), "t-" + std::to_string(getpid()) + ".xft");
  EXPECT_EQ(expand_path("100%%/%e/%x%"),
            "100%/" + std::string(program_invocation_short_name) + "/%x%");
}

}  // namespace
}  // namespace xfer::test
