#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SmallCopies, SideBySide) {
  EXPECT_THAT(findings_of(R"(alloc A 4096
repeat 9
  h2d A+{i}00 x+{i}00 100 #{i}
end
launch r=A)"),
              ElementsAre("3: small-copies proven one-copy 9x 900 B"));
  EXPECT_THAT(findings_of(R"(alloc A 4096
launch w=A
repeat 9
  d2h x+{i}00 A+{i}00 100
end)"),
              ElementsAre("4: small-copies proven one-copy 9x 900 B"));
}

TEST(SmallCopies, AtEqualDistances) {
  EXPECT_THAT(findings_of(R"(alloc A 4096
repeat 9
  h2d A+{i}00 x+{i}00 64 #{i}
end
launch r=A)"),
              ElementsAre("3: small-copies proven one-strided-copy 9x 576 B"));
}

TEST(SmallCopies, AllButOneCallAreWon) {
  Engine engine;
  for (const Event& event : parse_trace(R"(alloc A 4096
repeat 10
  h2d A+{i}00 x+{i}00 100 #{i} ns=5000
end
launch r=A)"))
    engine.add(event);
  const auto findings = engine.finish();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].cost.host_ns, 50000u);
  EXPECT_EQ(findings[0].cost.saving_ns, 45000u);
}

// Rodinia bfs: a flag per level.
TEST(SmallCopiesSilent, AKernelRunsInBetween) {
  EXPECT_THAT(findings_of(R"(alloc A 4096
repeat 9
  h2d A+{i}00 x+{i}00 100 #{i}
  launch r=A
end)"),
              IsEmpty());
}

TEST(SmallCopiesSilent, PlacesInNoOrder) {
  EXPECT_THAT(findings_of(R"(alloc A 4096
repeat 9
  h2d A+{i}00 x+{i}{i}0 64 #{i}
end
launch r=A)"),
              IsEmpty());
}

TEST(SmallCopiesSilent, LargeOnes) {
  EXPECT_THAT(findings_of(R"(alloc A 1000000
repeat 9
  h2d A+{i}00000 x+{i}00000 100000 #{i}
end
launch r=A)"),
              IsEmpty());
}

TEST(SmallCopiesSilent, AFew) {
  EXPECT_THAT(findings_of(R"(alloc A 4096
repeat 7
  h2d A+{i}00 x+{i}00 100 #{i}
end
launch r=A)"),
              IsEmpty());
}

TEST(SmallCopiesSilent, TheSamePlaceEachTime) {
  EXPECT_THAT(findings_of(R"(alloc A 4096
repeat 9
  launch w=A
  d2h x A 100 #{i}
end)"),
              IsEmpty());
}

}  // namespace
}  // namespace xfer::test
