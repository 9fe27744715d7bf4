#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(AllocInLoop, TheSameSizeAgainAndAgain) {
  EXPECT_THAT(findings_of(R"(repeat 5
  alloc T 4096
  launch w=T
  d2h x T 4096
  free T
end)"),
              ElementsAre("2: alloc-in-loop proven same-size-again 4x 16384 B (5)"));
}

TEST(AllocInLoop, OfHostMemoryThereIsNoPool) {
  EXPECT_THAT(findings_of(R"(repeat 5
  alloc P 4096 pinned
  free P
end)"),
              ElementsAre("2: alloc-in-loop proven host-size-again 4x 16384 B (3)"));
}

TEST(AllocInLoop, SeveralAtATime) {
  EXPECT_THAT(findings_of(R"(repeat 3
  alloc A 4096 at=10
  alloc B 4096 at=10
  launch w=A w=B
  free A at=20
  free B at=20
end)"),
              ElementsAre("10: alloc-in-loop proven same-size-again 4x 16384 B (20)"));
}

TEST(AllocInLoopSilent, SizesThatChange) {
  EXPECT_THAT(findings_of(R"(repeat 9
  alloc T{i} {i}4096
  launch w=T{i}
  free T{i}
end)"),
              IsEmpty());
}

TEST(AllocInLoopSilent, BuffersThatAreKept) {
  EXPECT_THAT(findings_of(R"(repeat 9
  alloc T{i} 4096
  launch w=T{i}
end
repeat 9
  free T{i}
end)"),
              IsEmpty());
}

TEST(AllocInLoopSilent, APoolsMemory) {
  EXPECT_THAT(findings_of(R"(repeat 9
  alloc T 4096 async
  launch w=T
  free T async
end)"),
              IsEmpty());
  EXPECT_THAT(findings_of(R"(alloc P 65536
repeat 9
  alloc P+4096 4096 block
  launch w=P+4096
  free P+4096 block
end)"),
              IsEmpty());
}

TEST(AllocInLoopSilent, TwoRoundsAreNoLoop) {
  EXPECT_THAT(findings_of(R"(repeat 2
  alloc T 4096
  launch w=T
  free T
end)"),
              IsEmpty());
}

TEST(AllocInLoopSilent, ThreadsThatDoItOnceEach) {
  EXPECT_THAT(findings_of(R"(repeat 9
  alloc T 4096 thread={i}
  launch w=T thread={i}
  free T thread={i}
end)"),
              IsEmpty());
}

TEST(AllocInLoopSilent, OtherLines) {
  EXPECT_THAT(findings_of(R"(repeat 9
  alloc T 4096 at=1{i}
  launch w=T
  free T
end)"),
              IsEmpty());
}

}  // namespace
}  // namespace xfer::test
