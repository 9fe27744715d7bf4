#include <gmock/gmock.h>

#include <sstream>

#include "sample.h"

namespace xfer {
namespace {

std::string written(std::vector<Finding> findings) {
  std::ostringstream out;
  write_github(report_of(std::move(findings)), out);
  return out.str();
}

TEST(WriteGithub, is_one_command_a_finding) {
  EXPECT_EQ(
      written({full_finding()}),
      "::warning file=src/f.cc,line=3,col=2,title=discarded-transfer::the result of to is "
      "discarded: x stays where it is%0Anote: x was made here (src/f.cc:2)%0Afix: assign "
      "it%0Aoccurred "
      "12 times, 1.5 KiB, 1.2 ms on the host (could save about 700 us), 500 ns on the device\n");
}

TEST(WriteGithub, puts_the_most_severe_first) {
  EXPECT_EQ(written({small_finding(Rule::kRoundTrip, "a", 1, Severity::kAdvice),
                     small_finding(Rule::kRoundTrip, "b", 2),
                     small_finding(Rule::kMissingTransfer, "c", 3, Severity::kError)}),
            "::error file=c,line=3,col=1,title=missing-transfer::m\n"
            "::warning file=b,line=2,col=1,title=round-trip::m\n"
            "::notice file=a,line=1,col=1,title=round-trip::m\n");
}

TEST(WriteGithub, text_cannot_start_another_command) {
  Finding finding = small_finding(Rule::kRoundTrip, "a,line=9::b%.cc", 1);
  finding.message = "100 %\r\n::error::x";
  EXPECT_EQ(written({finding}),
            "::warning file=a%2Cline=9%3A%3Ab%25.cc,line=1,col=1,title=round-trip::100 "
            "%25%0D%0A::error::x\n");
}

TEST(WriteGithub, a_finding_without_a_place_keeps_its_title) {
  EXPECT_EQ(written({small_finding(Rule::kRoundTrip, "", 0)}), "::warning title=round-trip::m\n");
}

}  // namespace
}  // namespace xfer
