#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Uploads in a row, of other content each.
std::string uploads(int times, const std::string& copy) {
  return "alloc A 1000000\nrepeat " + std::to_string(times) + "\n  h2d " + copy +
         " #{i} ns=5000\nend\nlaunch r=A";
}

TEST(SmallCopies, SideBySide) {
  EXPECT_THAT(findings_of(uploads(9, "A+{i}00 x+{i}00 100")),
              ElementsAre("3: small-copies proven one-copy 9x 900 B"));
  EXPECT_THAT(findings_of(R"(alloc A 4096
launch w=A
repeat 9
  d2h x+{i}00 A+{i}00 100
end)"),
              ElementsAre("4: small-copies proven one-copy 9x 900 B"));
}

TEST(SmallCopies, AtEqualDistances) {
  EXPECT_THAT(findings_of(uploads(9, "A+{i}00 x+{i}00 64")),
              ElementsAre("3: small-copies proven one-strided-copy 9x 576 B"));
}

TEST(SmallCopies, AllButOneCallAreWon) {
  Engine engine;
  for (const Event& event : parse_trace(uploads(10, "A+{i}00 x+{i}00 100"))) engine.add(event);
  const auto findings = engine.finish();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].cost.host_ns, 50000u);
  EXPECT_EQ(findings[0].cost.saving_ns, 45000u);
}

// item() in a loop over a row.
TEST(SmallCopies, ElementByElement) {
  const auto read = [](int times) {
    return "alloc A 65536\nrepeat " + std::to_string(times) +
           "\nlaunch rw=A\nrepeat 16\nd2h x A+{i}00 4 at=3\nend\nend\n";
  };
  EXPECT_THAT(findings_of(read(4)),
              ElementsAre(HasSubstr("3: small-copies look-alike element-by-element 64x")));
  EXPECT_THAT(findings_of(read(3)), IsEmpty());
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
  EXPECT_THAT(findings_of(uploads(9, "A+{i}00 x+{i}{i}0 64")), IsEmpty());
}

TEST(SmallCopiesSilent, LargeOnes) {
  EXPECT_THAT(findings_of(uploads(9, "A+{i}00000 x+{i}00000 100000")), IsEmpty());
}

TEST(SmallCopiesSilent, AFew) {
  EXPECT_THAT(findings_of(uploads(7, "A+{i}00 x+{i}00 100")), IsEmpty());
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
