// Reports about a part of a run.

#include "xfer/window.h"

#include <gmock/gmock.h>

#include "text_trace.h"
#include "xfer/tally.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Three uploads of the same content: the second and the third are needless.
constexpr const char* kTrace = R"(alloc A 6400
h2d A x 6400 #x
launch r=A
h2d A x 6400 #x thread=7
launch r=A
h2d A x 6400 #x)";

std::vector<std::string> told(const Window& window) {
  EngineOptions options;
  options.window = window;
  return findings_of(kTrace, Ending::kSucceeded, options);
}

TEST(Window, OnlyWhatIsInItIsTold) {
  const std::uint64_t third = parse_trace(kTrace).back().begin_ns;
  EXPECT_THAT(told({}), ElementsAre("4: repeated-transfer proven held-already 1x 6400 B (2)",
                                    "6: repeated-transfer proven held-already 1x 6400 B (2)"));
  EXPECT_THAT(told({0, third}),
              ElementsAre("6: repeated-transfer proven held-already 1x 6400 B (2)"));
  EXPECT_THAT(told({0, 0, third}),
              ElementsAre("4: repeated-transfer proven held-already 1x 6400 B (2)"));
  EXPECT_THAT(told({0, third + 1}), IsEmpty());
  EXPECT_THAT(told({7, 0}), ElementsAre("4: repeated-transfer proven held-already 1x 6400 B (2)"));
  EXPECT_THAT(told({8, 0}), IsEmpty());
}

// One call site inside and outside: its parts are not mixed.
TEST(Window, ASiteInAndOutOfIt) {
  const std::string trace = R"(alloc A 6400
h2d A x 6400 #x
repeat 4
  h2d A x 6400 #x at=9
end)";
  EngineOptions options;
  options.window.begin_ns = parse_trace(trace).at(4).begin_ns;
  EXPECT_THAT(findings_of(trace, Ending::kSucceeded, options),
              ElementsAre("9: repeated-transfer proven held-already 2x 12800 B (2)"));
}

TEST(Tally, CountsWhatWasDone) {
  Tally tally;
  for (const Event& event : parse_trace(R"(alloc A 64
alloc B 64 dev=1
alloc P 64 pinned
h2d A x 64
h2d A P 32
h2d A x 16 failed
h2d A x 16 captured
d2h x A 8
d2d A A 4
d2d B A 2 dev=1
launch r=A
sync device
sync stream=1 async)"))
    tally.add(event);
  const auto of = [&](Tally::Counted what) { return tally.of[what]; };
  EXPECT_EQ(of(Tally::kH2dCount), 2U);
  EXPECT_EQ(of(Tally::kH2dBytes), 96U);
  EXPECT_EQ(of(Tally::kD2hCount), 1U);
  EXPECT_EQ(of(Tally::kD2hBytes), 8U);
  EXPECT_EQ(of(Tally::kD2dBytes), 4U);
  EXPECT_EQ(of(Tally::kP2pBytes), 2U);
  EXPECT_EQ(of(Tally::kLaunches), 1U);
  EXPECT_EQ(of(Tally::kSyncs), 1U) << "asking is no waiting";
  EXPECT_EQ(of(Tally::kAllocations), 2U) << "of device memory";
}

}  // namespace
}  // namespace xfer::test
