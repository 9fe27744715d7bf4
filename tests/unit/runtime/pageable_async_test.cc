#include <gmock/gmock.h>

#include "text_trace.h"

namespace xfer::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(PageableAsync, ADownloadThatTheHostWaitsFor) {
  EXPECT_THAT(findings_of(R"(alloc A 4096
alloc B 4096
launch w=A
launch w=B
repeat 2
  d2h x A 4096 async ns=9000
  launch rw=B
end)"),
              ElementsAre("6: pageable-async proven waiting-download 2x 8192 B"));
}

TEST(PageableAsync, AnUploadThatIsStaged) {
  EXPECT_THAT(findings_of(R"(alloc A 100000
h2d A x 100000 async ns=9000
launch r=A
sync device)"),
              ElementsAre("2: pageable-async proven staged-upload 1x 100000 B"));
}

TEST(PageableAsyncSilent, CopiesThatAreBetterLeftOut) {
  EXPECT_THAT(findings_of(R"(alloc A 100000
repeat 3
  h2d A x 100000 async #x ns=9000 at=1{i}
  launch r=A
end
d2h y A 100000 async #x ns=9000
launch r=A)"),
              ElementsAre("6: round-trip proven sent-and-returned 1x 100000 B (10)",
                          "10: pageable-async proven staged-upload 1x 100000 B",
                          "11: repeated-transfer proven held-already 1x 100000 B (10)",
                          "12: repeated-transfer proven held-already 1x 100000 B (10)"));
}

// .item(): the value is needed now.
TEST(PageableAsyncSilent, TheHostWaitsForTheStreamAnyway) {
  EXPECT_THAT(findings_of(R"(alloc A 4096
launch w=A
repeat 3
  d2h x A 4 async
  sync stream
  launch rw=A
end)"),
              IsEmpty());
  EXPECT_THAT(findings_of(R"(alloc A 100000
h2d A x 100000 async
sync stream=1
launch r=A)"),
              IsEmpty());
}

TEST(PageableAsyncSilent, PinnedMemory) {
  EXPECT_THAT(findings_of(R"(alloc A 100000
alloc P 100000 pinned
h2d A P 100000 async
launch rw=A
d2h P A 100000 async
launch rw=A)"),
              IsEmpty());
}

TEST(PageableAsyncSilent, AFewBytesAreStagedAtOnce) {
  EXPECT_THAT(findings_of(R"(alloc A 65536
h2d A x 65536 async
launch r=A)"),
              IsEmpty());
}

TEST(PageableAsyncSilent, ACopyThatWasNotAskedForAsAsynchronous) {
  EXPECT_THAT(findings_of(R"(alloc A 100000
h2d A x 100000
launch rw=A
d2h y A 100000
launch rw=A)"),
              IsEmpty());
}

/// A list of tensors that is moved one by one.
std::string row(const std::string& between, int copies = 9) {
  return "alloc A 1100000\nrepeat " + std::to_string(copies) +
         "\n  h2d A+{i}00000 x 65536 async ns=20000 stream=1\n  " + between +
         "\nend\nlaunch rw=A stream=1";
}
TEST(BlockingRow, EachCopyIsWaitedFor) {
  EXPECT_THAT(findings_of(row("sync stream=1 ns=5000")),
              ElementsAre("3: pageable-async look-alike waits-for-each 9x 589824 B (4)"));
}
TEST(BlockingRow, TheDevicesMemoryMayBeAllocatedBetweenThem) {
  EXPECT_THAT(findings_of(row("sync stream=1 ns=5000\n  alloc B{i} 64")),
              ElementsAre("3: pageable-async look-alike waits-for-each 9x 589824 B (4)"));
}
TEST(BlockingRowSilent, FewCopies) {
  EXPECT_THAT(findings_of(row("sync stream=1 ns=5000", 7)), IsEmpty());
}
TEST(BlockingRowSilent, KernelsBetweenThem) {
  EXPECT_THAT(findings_of(row("sync stream=1 ns=5000\n  launch rw=A stream=1")), IsEmpty());
}
TEST(BlockingRowSilent, OneWaitForAll) {
  EXPECT_THAT(
      findings_of("alloc A 1100000\nrepeat 9\n  h2d A+{i}00000 x 65536 async stream=1\nend\n"
                  "sync stream=1\nlaunch rw=A stream=1"),
      IsEmpty());
}
TEST(BlockingRowSilent, WaitsForAnotherStream) {
  EXPECT_THAT(findings_of(row("launch rw=A stream=2\n  sync stream=2 ns=5000")), IsEmpty());
}

}  // namespace
}  // namespace xfer::test
