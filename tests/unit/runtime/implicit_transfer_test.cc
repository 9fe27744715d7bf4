#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ImplicitTransfer, AnOperandIsCopiedToWhereTheOthersAre) {
  EXPECT_THAT(findings_of("alloc A 256\nh2d A x 256 #a implicit\nlaunch r=A"),
              ElementsAre("2: implicit-transfer proven operand-elsewhere 1x 256 B"));
  EXPECT_THAT(findings_of("alloc A 256\nlaunch w=A\nd2h x A 256 #a implicit"),
              ElementsAre("3: implicit-transfer proven operand-elsewhere 1x 256 B"));
  EXPECT_THAT(findings_of("alloc A 256\nalloc B 256 dev=1\nlaunch w=A\n"
                          "d2d B A 256 implicit dev=1\nlaunch r=B dev=1"),
              ElementsAre("4: implicit-transfer proven operand-elsewhere 1x 256 B"));
}

// They are no repeats as well: one edit ends both.
TEST(ImplicitTransfer, OnEachStep) {
  EXPECT_THAT(findings_of(R"(repeat 4
  alloc A 256 async
  h2d A x 256 #a implicit
  launch r=A
  free A async
end)"),
              ElementsAre("3: implicit-transfer proven operand-elsewhere 4x 1024 B"));
  EXPECT_THAT(findings_of(R"(alloc A 256
repeat 4
  h2d A x 256 #a implicit
  launch r=A
end)"),
              ElementsAre("3: implicit-transfer proven operand-elsewhere 4x 1024 B"));
  EXPECT_THAT(findings_of(R"(alloc A 256
launch w=A
repeat 4
  d2h x A 256 #a implicit
end)"),
              ElementsAre("4: implicit-transfer proven operand-elsewhere 4x 1024 B"));
}

TEST(ImplicitTransfer, OfAResultThatWasJustBroughtToTheHost) {
  EXPECT_THAT(findings_of(R"(alloc A 256
launch w=A
d2h x A 256 #a
h2d A x 256 #a implicit
launch r=A)"),
              ElementsAre("4: implicit-transfer proven operand-elsewhere 1x 256 B"));
}

TEST(ImplicitTransferSilent, ACopyThatTheProgramAsksFor) {
  EXPECT_THAT(findings_of("alloc A 256\nh2d A x 256 #a\nlaunch r=A"), IsEmpty());
}

TEST(ImplicitTransferSilent, ANumberOnTheHost) {
  EXPECT_THAT(findings_of("alloc A 256\nh2d A x 8 #a implicit\nlaunch r=A"), IsEmpty());
}

TEST(ImplicitTransferSilent, WithinADevice) {
  EXPECT_THAT(findings_of("alloc A 256\nalloc B 256\nlaunch w=A\nd2d B A 256 implicit\nlaunch r=B"),
              IsEmpty());
}

TEST(ImplicitTransferSilent, ACopyThatIsNotMade) {
  for (const char* not_made : {"failed", "captured"})
    EXPECT_THAT(findings_of(std::string("alloc A 256\nh2d A x 256 #a implicit ") + not_made),
                IsEmpty())
        << not_made;
}

}  // namespace
}  // namespace xfer::test
