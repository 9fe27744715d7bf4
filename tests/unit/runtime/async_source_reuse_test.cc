#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string with_streams(const std::string& rest) {
  return "alloc A 256\nalloc B 256\nalloc P 256 pinned\nstream 1 nonblocking\nstream 2 "
         "nonblocking\nlaunch w=B stream=2 only\nh2d A P 256 async stream=1\n" +
         rest + "\nlaunch rw=A rw=B stream=1 only\n";
}

TEST(AsyncSourceReuse, TheHostWritesToIt) {
  EXPECT_THAT(findings_of(with_streams("write P+32")),
              ElementsAre("8: async-source-reuse proven host-writes-pending 1x 256 B (7)"));
}

TEST(AsyncSourceReuse, ACopyOnAnotherStreamWritesToIt) {
  EXPECT_THAT(findings_of(with_streams("d2h P B 256 async stream=2")),
              ElementsAre("8: async-source-reuse proven downloaded-over 1x 256 B (7)"));
}

TEST(AsyncSourceReuse, AWaitingCopyWritesToIt) {
  EXPECT_THAT(findings_of(with_streams("d2h P B 256 stream=2")),
              ElementsAre("8: async-source-reuse proven downloaded-over 1x 256 B (7)"));
}

TEST(AsyncSourceReuse, OnlyOnceForOneCopy) {
  EXPECT_THAT(findings_of(with_streams("write P+32\nwrite P+48")),
              ElementsAre("8: async-source-reuse proven host-writes-pending 1x 256 B (7)"));
}

TEST(AsyncSourceReuseSilent, TheHostReadsIt) {
  EXPECT_THAT(findings_of(with_streams("read P")), IsEmpty());
}

TEST(AsyncSourceReuseSilent, AnythingThatWaitsForTheCopy) {
  for (const char* wait :
       {"sync stream=1", "sync device", "sync stream=1 async", "record 5 stream=1\nsync event=5",
        "record 5 stream=1\nwait 5 stream=2\nsync stream=2", "hostfunc stream=2"})
    EXPECT_THAT(findings_of(with_streams(std::string(wait) + "\nwrite P")), IsEmpty()) << wait;
}

TEST(AsyncSourceReuseSilent, OrderBetweenStreams) {
  EXPECT_THAT(findings_of(with_streams("record 5 stream=1\nwait 5 stream=2\n"
                                       "d2h P B 256 async stream=2")),
              IsEmpty());
  EXPECT_THAT(findings_of(with_streams("d2h P B 256 async stream=1")), IsEmpty());
}

TEST(AsyncSourceReuseSilent, TheMemoryIsFreedWhichWaits) {
  EXPECT_THAT(findings_of(with_streams("free P\nalloc P 256 pinned\nwrite P")), IsEmpty());
}

TEST(AsyncSourceReuseSilent, ACopyInAGraph) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc P 256 pinned
stream 1 nonblocking
h2d A P 256 async stream=1 captured
write P)"),
              IsEmpty());
}

TEST(AsyncSourceReuseSilent, ARefusedCopy) {
  EXPECT_THAT(findings_of(R"(alloc A 256
alloc P 256 pinned
stream 1 nonblocking
h2d A P 256 async stream=1 failed
write P)"),
              IsEmpty());
}

}  // namespace
}  // namespace xfer::test
