#include <gmock/gmock.h>

#include "pending_traces.h"
#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A kernel uses the uploaded data in the end.
std::string while_reading(const std::string& rest) {
  return while_uploading(rest + "\nlaunch rw=A stream=1 only");
}

TEST(AsyncSourceReuse, TheHostWritesToIt) {
  EXPECT_THAT(findings_of(while_reading("write P+32")),
              ElementsAre("8: async-source-reuse proven host-writes-pending 1x 256 B (7)"));
}

TEST(AsyncSourceReuse, WorkOnAnotherStreamWritesToIt) {
  for (const char* work :
       {"d2h P B 256 async stream=2", "d2h P B 256 stream=2", "set P+8 8 async stream=2"})
    EXPECT_THAT(findings_of(while_reading(work)),
                ElementsAre("8: async-source-reuse proven source-overwritten 1x 256 B (7)"))
        << work;
}

TEST(AsyncSourceReuse, WorkOnAnotherStreamWritesToTheDevicesSide) {
  for (const char* work : {"set A 64 async stream=2", "set A 256", "h2d A x 256 stream=2",
                           "d2d A+128 B 128 async stream=2"})
    EXPECT_THAT(findings_of(while_downloading(std::string(work) + "\nlaunch r=A w=B")),
                ElementsAre("8: async-source-reuse proven source-overwritten 1x 256 B (7)"))
        << work;
}

TEST(AsyncSourceReuse, AKernelOnAnotherStreamMayWriteToIt) {
  for (const char* launch : {"launch rw=A stream=2 only", "launch w=A+16:16 stream=2 only"})
    EXPECT_THAT(findings_of(while_downloading(launch)),
                ElementsAre("8: async-source-reuse look-alike launched-over 1x 256 B (7)"))
        << launch;
}

TEST(AsyncSourceReuse, AKernelOnAnotherStreamMayWriteToThePinnedMemory) {
  EXPECT_THAT(findings_of(while_reading("launch w=P stream=2 only")),
              ElementsAre("8: async-source-reuse look-alike launched-over 1x 256 B (7)"));
  EXPECT_THAT(findings_of(while_reading("launch w=P stream=2")), IsEmpty());
}

TEST(AsyncSourceReuse, ABufferThatBeginsWhereItsNeighbourEnds) {
  EXPECT_THAT(findings_of(pending_trace("alloc 0x7e0001000000 256\nalloc 0x7e0001000100 256 at=7",
                                        "d2h P 0x7e0001000100 256 async stream=1\n"
                                        "launch r=0x7e0001000000 w=0x7e0001000100 stream=2 only")),
              Contains("10: async-source-reuse look-alike launched-over 1x 256 B (9)"));
}

TEST(AsyncSourceReuse, AHostFunctionThatMayRunBeforeTheCopyIsOver) {
  EXPECT_THAT(findings_of(while_reading("hostfunc stream=2\nwrite P")),
              ElementsAre("9: async-source-reuse proven host-writes-pending 1x 256 B (7)"));
}

TEST(AsyncSourceReuse, ByWhoeverKnowsWhichCopyReadsTheBytes) {
  const std::string two = "h2d A P 64 async stream=1 id=1\nh2d B P+64 64 async stream=2 id=2\n";
  EXPECT_THAT(findings_of(pending_trace(two, "write P+70 id=2\nlaunch rw=A rw=B stream=1 only")),
              Contains("10: async-source-reuse proven host-writes-pending 1x 64 B (8)"));
  EXPECT_THAT(findings_of(pending_trace(two, "write P+70 id=1\nlaunch rw=A rw=B stream=1 only")),
              Not(Contains(HasSubstr("async-source-reuse"))))
      << "that copy does not read there";
}

TEST(AsyncSourceReuse, TheRowsOfAStridedCopy) {
  const std::string rows = "h2d A P 64 async stream=1 extent=64 sextent=208 id=1";
  EXPECT_THAT(findings_of(pending_trace(rows, "write P+64 id=1\nlaunch rw=A stream=1 only")),
              Contains("8: async-source-reuse proven host-writes-pending 1x 64 B (7)"));
  EXPECT_THAT(findings_of(pending_trace(rows, "write P+20\nlaunch rw=A stream=1 only")),
              Not(Contains(HasSubstr("async-source-reuse"))))
      << "it may lie between two rows";
}

TEST(AsyncSourceReuse, RowsMeetRows) {
  const std::string copy = "d2h P A 64 async stream=1 extent=64 sextent=244 spitch=16 pitch=4";
  const auto findings = [&](const std::string& fill) {
    return findings_of(pending_trace(copy, fill + " async stream=2\nlaunch rw=A stream=1 only"));
  };
  for (const char* fill : {"set A+3 1", "set A 32 extent=88 pitch=12", "set A 256",
                           "set A+2 40 extent=148 pitch=16", "set A+240 2"})
    EXPECT_THAT(findings(fill), Contains(HasSubstr("async-source-reuse proven"))) << fill;
  for (const char* fill : {"set A+4 12", "set A+244 4", "set A+8 40 extent=148 pitch=16",
                           "set A+4 32 extent=232 pitch=32", "set A 40 extent=148 pitch=1"})
    EXPECT_THAT(findings(fill), Not(Contains(HasSubstr("async-source-reuse")))) << fill;
}

TEST(AsyncSourceReuse, TheHostWritesWhatAKernelReads) {
  EXPECT_THAT(
      findings_of(pending_trace("launch r=P+32:64 stream=1 only plain id=1", "write P+40 id=1")),
      ElementsAre("8: async-source-reuse proven host-writes-pending of-kernel 1x 64 B (7)"));
}

TEST(AsyncSourceReuse, TheSourceIsNotWhatItWas) {
  const std::string copy = "h2d A P 256 #a async stream=1 id=1";
  EXPECT_THAT(findings_of(pending_trace(copy, "changed id=1\nsync stream=1\nlaunch rw=A only")),
              ElementsAre("7: async-source-reuse proven source-changed 1x 256 B"));
  EXPECT_THAT(findings_of(pending_trace(copy,
                                        "changed id=1 all\nsync stream=1\n"
                                        "launch rw=A only")),
              ElementsAre("7: async-source-reuse look-alike source-changed 1x 256 B"));
  EXPECT_THAT(findings_of(pending_trace(copy,
                                        "write P id=1\nchanged id=1\nsync stream=1\n"
                                        "launch rw=A only")),
              ElementsAre("8: async-source-reuse proven host-writes-pending 1x 256 B (7)"))
      << "the write itself was seen";
}

TEST(AsyncSourceReuse, OnlyOnceForOneCopy) {
  EXPECT_THAT(findings_of(while_reading("write P+32\nwrite P+48")),
              ElementsAre("8: async-source-reuse proven host-writes-pending 1x 256 B (7)"));
}

TEST(AsyncSourceReuseSilent, ItIsOnlyRead) {
  EXPECT_THAT(findings_of(while_reading("read P")), IsEmpty());
  EXPECT_THAT(findings_of(while_downloading("launch r=A w=B stream=2 only\n"
                                            "d2d B A 256 async stream=2\nlaunch r=B stream=2")),
              IsEmpty());
}

TEST(AsyncSourceReuseSilent, AKernelWhoseCodeIsNotKnown) {
  EXPECT_THAT(findings_of(while_downloading("launch rw=A stream=2")), IsEmpty());
}

TEST(AsyncSourceReuseSilent, AKernelIsGivenABufferOfWhichAPartIsRead) {
  EXPECT_THAT(findings_of(pending_trace("d2h P A 128 async stream=1", "launch rw=A stream=2 only")),
              IsEmpty());
}

TEST(AsyncSourceReuseSilent, AnythingThatWaitsForTheCopy) {
  for (const std::string& wait : kWaitsForStream1) {
    EXPECT_THAT(findings_of(while_reading(wait + "\nwrite P")), IsEmpty()) << wait;
    EXPECT_THAT(findings_of(while_downloading(wait + "\nset A 256 async stream=2\n"
                                                     "launch rw=A stream=2 only")),
                IsEmpty())
        << wait;
  }
}

TEST(AsyncSourceReuseSilent, AKernelThatIsOver) {
  for (const std::string& wait : kWaitsForStream1)
    EXPECT_THAT(findings_of(pending_trace("launch r=P+32:64 stream=1 only plain id=1",
                                          wait + "\nwrite P+40 id=1")),
                Not(Contains(HasSubstr("async-source-reuse"))))
        << wait;
}

TEST(AsyncSourceReuseSilent, OrderBetweenStreams) {
  for (const char* work : {"d2h P B 256 async stream=2", "set P 64 async stream=2"})
    EXPECT_THAT(findings_of(while_reading(kStream2Waits + work)), IsEmpty()) << work;
  for (const char* work : {"set A 64 async stream=2", "launch rw=A stream=2 only"})
    EXPECT_THAT(findings_of(while_downloading(kStream2Waits + work)), IsEmpty()) << work;
  EXPECT_THAT(findings_of(while_reading("d2h P B 256 async stream=1")), IsEmpty());
  EXPECT_THAT(findings_of(while_downloading("launch rw=A stream=1 only")), IsEmpty());
}

TEST(AsyncSourceReuseSilent, TheMemoryIsFreedWhichWaits) {
  EXPECT_THAT(findings_of(while_reading("free P\nalloc P 256 pinned\nwrite P")),
              Not(Contains(HasSubstr("async-source-reuse"))));
}

TEST(AsyncSourceReuseSilent, ACopyThatIsNotMade) {
  for (const char* not_made : {"captured", "failed"})
    EXPECT_THAT(findings_of(pending_trace(std::string("h2d A P 256 async stream=1 ") + not_made,
                                          "write P\nset P 256 async stream=2")),
                Not(Contains(HasSubstr("async-source-reuse"))))
        << not_made;
}

}  // namespace
}  // namespace xfer::test
