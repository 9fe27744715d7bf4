#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SyncInLoop, ALossIsReadOnEveryStep) {
  EXPECT_THAT(findings_of(R"(alloc L 4
alloc A 256
repeat 20
  launch rw=A w=L
  d2h loss{i} L 4 ns=50000
end)"),
              ElementsAre("5: sync-in-loop proven read-back-each-step 20x 80 B"));
}

TEST(SyncInLoop, TheWaitComesWithTheNextCall) {
  EXPECT_THAT(findings_of(R"(alloc L 4
alloc A 256
alloc P 64 pinned
stream 1
repeat 20
  launch rw=A w=L stream=1
  d2h P L 4 async stream=1 ns=2000
  sync stream=1 ns=40000
end)"),
              ElementsAre("7: sync-in-loop proven read-back-each-step 20x 80 B"));
}

TEST(SyncInLoopSilent, AFlagThatTheHostSetsBeforeEachStep) {
  EXPECT_THAT(findings_of(R"(alloc F 1
alloc A 256
repeat 20
  h2d F stop 1 #zero
  launch rw=A rw=F
  d2h stop F 1 ns=50000
end
repeat 20
  set F 1
  launch rw=A rw=F
  d2h stop F 1 ns=50000
end)"),
              IsEmpty());
}

TEST(SyncInLoopSilent, NowAndThen) {
  EXPECT_THAT(findings_of(R"(alloc L 4
repeat 10
  launch w=L
  d2h loss{i} L 4 ns=50000
end)"),
              IsEmpty());
}

TEST(SyncInLoopSilent, NothingToWaitFor) {
  EXPECT_THAT(findings_of(R"(alloc L 4
alloc A 256
repeat 20
  launch rw=A w=L
  d2h loss{i} L 4 ns=1500
end)"),
              IsEmpty());
  EXPECT_THAT(findings_of(R"(alloc L 4096
launch w=L
repeat 20
  d2h loss{i} L+{i} 4 ns=50000
end)"),
              IsEmpty());
}

TEST(SyncInLoopSilent, AResultThatIsLarge) {
  EXPECT_THAT(findings_of(R"(alloc R 4096
repeat 20
  launch w=R
  d2h result{i} R 4096 ns=50000
end)"),
              IsEmpty());
}

}  // namespace
}  // namespace xfer::test
