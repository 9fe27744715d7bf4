// Where threads pause for others of their block.

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
  for (const std::size_t at : pauses_of(read)) found.insert(read.instructions[at].line - before);
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
