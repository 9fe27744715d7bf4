#include <gmock/gmock.h>

#include <sstream>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A training loop: a kernel that makes a loss, and what the program does then (lines 8 on). P is
// pinned.
std::string steps(int count, const std::string& each,
                  const std::string& launch = "launch rw=A w=L stream=1") {
  return "alloc L 4096\nalloc A 256\nalloc P 64 pinned\nstream 1\nlaunch w=L\nrepeat " +
         std::to_string(count) + '\n' + launch + '\n' + each + "\nend\n";
}
constexpr const char* kReadBack = "d2h loss{i} L 4 ns=50000";

TEST(SyncInLoop, ALossIsReadOnEveryStep) {
  EXPECT_THAT(findings_of(steps(20, kReadBack)),
              ElementsAre("8: sync-in-loop proven read-back-each-step 20x 80 B"));
}

TEST(SyncInLoop, TheWaitComesWithTheNextCall) {
  EXPECT_THAT(findings_of(steps(20, "d2h P L 4 async stream=1 ns=2000\nsync stream=1 ns=40000")),
              ElementsAre("8: sync-in-loop proven read-back-each-step 20x 80 B"));
}

TEST(SyncInLoopSilent, AFlagThatTheHostSetsBeforeEachStep) {
  for (const char* set : {"h2d L stop 1 #zero", "set L 1"})
    EXPECT_THAT(findings_of(steps(20, "d2h stop L 1 ns=50000",
                                  std::string(set) + " at=99\nlaunch rw=A rw=L at=98")),
                IsEmpty())
        << set;
}

TEST(SyncInLoop, ASmallModelsLossThoughTheWaitIsShort) {
  EXPECT_THAT(findings_of(steps(20, "d2h loss{i} L 4 ns=1500")),
              ElementsAre("8: sync-in-loop proven read-back-each-step 20x 80 B"));
}

TEST(SyncInLoop, LayersThatAreAlikeAreOneStep) {
  EXPECT_THAT(findings_of(steps(20, kReadBack,
                                "launch rw=A at=90\nlaunch rw=A at=91\nlaunch rw=A at=91\n"
                                "launch rw=A at=91\nlaunch w=L at=92")),
              ElementsAre("12: sync-in-loop proven read-back-each-step 20x 80 B"));
}

// Layers forward, head and loss, layers back.
TEST(SyncInLoop, HeadAndLossComeBetweenEqualLayers) {
  std::string step;
  for (const char* sites : {"90 91 92 93 94 95 90 91 92 93 94 95", "70 71 72 73",
                            "80 81 82 83 84 85 80 81 82 83 84 85"})
    for (std::istringstream in(sites); in >> std::ws && !in.eof();) {
      std::string site;
      in >> site;
      step += "launch rw=A at=" + site + "\n";
    }
  EXPECT_THAT(findings_of(steps(20, kReadBack, step + "launch w=L at=75")), testing::SizeIs(1));
}

// Batches, and then a test of the model.
TEST(SyncInLoopSilent, OnceAnEpochAfterATest) {
  std::string test;
  for (int site = 70; site < 76; ++site) test += "launch r=A w=L at=" + std::to_string(site) + '\n';
  EXPECT_THAT(findings_of("alloc L 4096\nalloc A 256\nrepeat 20\nlaunch rw=A at=60\nrepeat 10\n"
                          "launch rw=A at=90\nlaunch rw=A at=91\nlaunch rw=A at=92\n"
                          "launch rw=A at=93\nlaunch rw=A at=94\nlaunch rw=A at=95\n"
                          "launch rw=A at=96\nlaunch rw=A at=97\nlaunch rw=A at=98\n"
                          "launch rw=A at=80\nlaunch rw=A at=81\nlaunch rw=A at=82\n"
                          "launch rw=A at=83\nlaunch rw=A at=84\nlaunch rw=A at=85\n"
                          "launch rw=A at=86\nlaunch rw=A at=87\nlaunch rw=A at=88\nend\n" +
                          test + "d2h loss{i} L 4 ns=50000 at=66\nend\n"),
              IsEmpty());
}

// As Python's interpreter does once it knows the code better.
TEST(SyncInLoop, AStatementThatIsReachedInTwoWays) {
  EngineOptions options;
  options.same_path = [](std::uint32_t a, std::uint32_t b) { return a / 100 == b / 100; };
  const std::string steps = "repeat 7\nlaunch rw=L at=1\nd2h loss{i} L 4 at=";
  EXPECT_THAT(findings_of("alloc L 4096\n" + steps + "901\nend\n" + steps + "902\nend\n",
                          Ending::kSucceeded, options),
              ElementsAre("901: sync-in-loop proven read-back-each-step 7x 28 B",
                          "902: sync-in-loop proven read-back-each-step 7x 28 B"));
}

// An allocator gives the memory of a loss to what is sent next.
TEST(SyncInLoop, WhatTheHostSetsIsAnotherBlock) {
  EXPECT_THAT(findings_of("alloc P 8192\nalloc A 256\nrepeat 20\nalloc P+4096 64 block\n"
                          "launch rw=A w=P+4096 at=90\nd2h loss{i} P+4096 4 ns=50000 at=80\n"
                          "free P+4096 block\nalloc P+4096 64 block\nset P+4096 64 at=91\n"
                          "launch r=P+4096 rw=A at=92\nfree P+4096 block\nend\n"),
              ElementsAre("80: sync-in-loop proven read-back-each-step 20x 80 B"));
}

TEST(SyncInLoop, AnEventThatIsWaitedForAtOnce) {
  EXPECT_THAT(findings_of(steps(20,
                                "d2h P L 4 async stream=1 ns=2000\nrecord 5 stream=1\n"
                                "sync event=5 ns=40000")),
              testing::SizeIs(1));
}

// A policy's action, or a token that goes back to where it came from.
TEST(SyncInLoop, AnIndexThatTheHostSendsBack) {
  EngineOptions options;
  options.is_choice = [](std::uint32_t) { return true; };
  const std::string chosen = steps(20, "d2h a L 8 #a{i} ns=50000");
  EXPECT_THAT(findings_of(chosen, Ending::kSucceeded, options), IsEmpty());
  EXPECT_THAT(findings_of(chosen), testing::SizeIs(1));
  EXPECT_THAT(findings_of(steps(20, "d2h a L 8 #a{i} ns=50000\nh2d A b 8 #a{i} at=70"),
                          Ending::kSucceeded, options),
              testing::Contains(testing::HasSubstr("8: sync-in-loop")));
}

// The loss of the step before is read while this one is computed.
TEST(SyncInLoopSilent, OneStepLate) {
  EXPECT_THAT(findings_of(steps(20,
                                "sync event=5 ns=40000\nd2h P L 4 async stream=1 ns=2000\n"
                                "record 5 stream=1")),
              IsEmpty());
}

TEST(SyncInLoopSilent, OnceAnEpoch) {
  EXPECT_THAT(findings_of("alloc L 4096\nalloc A 256\nrepeat 20\nset L 4\nrepeat 10\n"
                          "launch rw=A at=90\nlaunch rw=A at=91\nlaunch rw=L at=92\nend\n"
                          "d2h loss{i} L 4 ns=50000\nend\n"),
              IsEmpty());
}

TEST(SyncInLoopSilent, NowAndThen) { EXPECT_THAT(findings_of(steps(10, kReadBack)), IsEmpty()); }

TEST(SyncInLoopSilent, NothingToWaitFor) {
  EXPECT_THAT(findings_of(steps(20, "d2h token{i} L 8 ns=1500")), IsEmpty());
  EXPECT_THAT(findings_of(steps(20, "d2h loss{i} L+{i} 4 ns=50000", "")), IsEmpty());
}

TEST(SyncInLoopSilent, AResultThatIsLarge) {
  EXPECT_THAT(findings_of(steps(20, "d2h result{i} L 4096 ns=50000")), IsEmpty());
}

}  // namespace
}  // namespace xfer::test
