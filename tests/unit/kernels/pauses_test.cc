// Places where threads pause for others of their block.

#include "kernels/translate/pauses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "ptx/module.h"
#include "ptx/reader.h"
#include "warp_run.h"

namespace xfer::kernels {
namespace {

/// The lines of the body before which threads pause, counted from 1.
std::set<unsigned> lines(const std::string& body) {
  const std::string text = kernel_of(body);
  const ptx::Module module = ptx::read_module(text);
  const ptx::Body read = ptx::read_body(module.functions.at("run"));
  const auto before = static_cast<unsigned>(
      std::count(text.begin(), text.begin() + static_cast<long>(text.find(body)), '\n'));
  std::set<unsigned> found;
  const Pauses pauses = pauses_of(read);
  for (const auto* const some : {&pauses.before, &pauses.before_loops})
    for (const std::size_t at : *some) found.insert(read.instructions[at].line - before);
  return found;
}

TEST(Pauses, BeforeALoopBetweenReadingAndWriting) {
  EXPECT_EQ(lines("bar.sync 0;\nld.shared.u32 %r0, [%r9];\nloop:\nadd.u32 %r1, %r1, 1;\n"
                  "setp.lt.u32 %p0, %r1, %n;\n@%p0 bra loop;\nst.shared.u32 [%r9], %r1;\n"
                  "bar.sync 0;\n"),
            std::set<unsigned>{4});
}

TEST(Pauses, WhereOthersReadAndTheseWrite) {
  // The first thread reads; the others go round once more.
  EXPECT_EQ(lines("outer:\nmov.u32 %r1, 0;\ninner:\nadd.u32 %r1, %r1, 1;\n"
                  "setp.lt.u32 %p0, %r1, %n;\n@%p0 bra inner;\nst.shared.u32 [%r9], %r1;\n"
                  "bar.sync 0;\nsetp.ne.u32 %p1, %x, 0;\n@%p1 bra next;\n"
                  "ld.shared.u32 %r3, [%r8];\nnext:\nadd.u32 %r2, %r2, 1;\n"
                  "setp.lt.u32 %p2, %r2, 9;\n@%p2 bra outer;\n"),
            std::set<unsigned>{4});
}

TEST(Pauses, NotWhereBarriersAreOnBothSides) {
  // Tiles: written, read and written again, each behind a barrier.
  EXPECT_EQ(lines("outer:\nst.shared.u32 [%r9], %r1;\nbar.sync 0;\nmov.u32 %r1, 0;\ninner:\n"
                  "ld.shared.u32 %r3, [%r8];\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p0, %r1, 16;\n"
                  "@%p0 bra inner;\nbar.sync 0;\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, 9;\n"
                  "@%p2 bra outer;\n"),
            std::set<unsigned>{});
}

TEST(Pauses, NotWhereNothingIsReadOrNothingWritten) {
  const std::string loop =
      "loop:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p0, %r1, %n;\n@%p0 bra loop;\n";
  EXPECT_EQ(lines("bar.sync 0;\nmov.u32 %r1, 0;\n" + loop + "st.shared.u32 [%r9], %r1;\n"),
            std::set<unsigned>{});
  EXPECT_EQ(lines("bar.sync 0;\nld.shared.u32 %r0, [%r9];\n" + loop), std::set<unsigned>{});
  EXPECT_EQ(
      lines("bar.sync 0;\nld.global.u32 %r0, [%in];\n" + loop + "st.global.u32 [%out], %r1;\n"),
      std::set<unsigned>{});
}

TEST(Pauses, BetweenWritingAndReading) {
  const std::string barrier = "bar.sync 0;\n";
  EXPECT_EQ(lines("st.shared.u32 [%r9], %r1;\nadd.u32 %r1, %r1, 1;\nld.shared.u32 %r3, [%r8];\n"
                  "ld.shared.u32 %r4, [%r8+4];\n" +
                  barrier),
            std::set<unsigned>{3});
  // Behind a label, on both ways there.
  EXPECT_EQ(lines("@%p0 bra next;\nst.shared.u32 [%r9], %r1;\nnext:\n"
                  "ld.shared.u32 %r3, [%r8];\n" +
                  barrier),
            std::set<unsigned>{4});
  // Before a loop, once, and not in each of its turns.
  EXPECT_EQ(lines("st.shared.u32 [%r9], %r1;\nmov.u32 %r1, 0;\nloop:\nadd.u32 %r1, %r1, 1;\n"
                  "inner:\nld.shared.u32 %r3, [%r8];\nsetp.lt.u32 %p0, %r3, 9;\n"
                  "@%p0 bra inner;\nsetp.lt.u32 %p0, %r1, %n;\n@%p0 bra loop;\n" +
                  barrier),
            std::set<unsigned>{4});
  // In a loop that has a barrier.
  EXPECT_EQ(lines("loop:\nst.shared.u32 [%r9], %r1;\nld.shared.u32 %r3, [%r8];\n" + barrier +
                  "setp.lt.u32 %p0, %r3, 9;\n@%p0 bra loop;\n"),
            std::set<unsigned>{3});
}

TEST(Pauses, NotBetweenWritingAndReadingWhereLanesMeet) {
  const std::string read = "ld.shared.u32 %r3, [%r8];\nbar.sync 0;\n";
  for (const char* const meeting :
       {"bar.sync 0;\n", "bar.warp.sync -1;\n", "shfl.sync.down.b32 %r4, %r1, 1, 31, -1;\n"})
    EXPECT_EQ(lines(std::string("st.shared.u32 [%r9], %r1;\n") + meeting + read),
              std::set<unsigned>{});
  // A place of its own for each thread, written and read in each turn.
  EXPECT_EQ(lines("loop:\nst.shared.u32 [%r9], %r1;\n"
                  "ld.shared.u32 %r3, [%r9];\nsetp.lt.u32 %p0, %r3, 9;\n@%p0 bra loop;\n"
                  "bar.sync 0;\n"),
            std::set<unsigned>{});
  // The block never meets.
  EXPECT_EQ(lines("st.shared.u32 [%r9], %r1;\nld.shared.u32 %r3, [%r8];\n"), std::set<unsigned>{});
}

TEST(Pauses, NotRightBehindABarrierNorWithoutOne) {
  const std::string loop =
      "loop:\nld.shared.u32 %r3, [%r8];\nst.shared.u32 [%r9], %r3;\n"
      "setp.lt.u32 %p0, %r3, %n;\n@%p0 bra loop;\n";
  EXPECT_EQ(lines("bar.sync 0;\n" + loop), std::set<unsigned>{});
  EXPECT_EQ(lines("mov.u32 %r1, 0;\nbar.warp.sync -1;\nmov.u32 %r1, 0;\n" + loop),
            std::set<unsigned>{});
}

}  // namespace
}  // namespace xfer::kernels
