// Counts of repeated turns of loops, which code of threads reports.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "kernels/frame.h"
#include "unit/kernels/one_kernel.h"

namespace xfer::kernels {
namespace {

/// Behind a thread of the kernel that was given this number.
std::uint64_t turned(const std::string& body, std::uint64_t given) {
  const OneKernel kernel(body);
  Services services;
  Block block;
  block.services = &services;
  block.parameters = reinterpret_cast<const std::byte*>(&given);
  Thread thread;
  thread.block = &block;
  thread.turned = 1000;  // of threads before it
  kernel.code->run(&thread);
  return thread.turned - 1000;
}

TEST(Turns, AreCountedInInstructions) {
  // Of three, and as often as it goes back.
  const char* const loop = "L:\nsub.s64 %a1, %a1, 1;\nsetp.gt.s64 %p1, %a1, 0;\n@%p1 bra L;\n";
  EXPECT_EQ(turned(loop, 1), 0u);
  EXPECT_EQ(turned(loop, 10), 27u);
  EXPECT_EQ(turned(loop, 1'000'000), 2'999'997u);
}

TEST(Turns, OfLoopsInLoopsAddUp) {
  // The inner one goes back once for each of the four turns, the outer one three times.
  EXPECT_EQ(turned("OUTER:\nmov.u32 %r1, 0;\nINNER:\nadd.u32 %r1, %r1, 1;\n"
                   "setp.lt.u32 %p1, %r1, 2;\n@%p1 bra INNER;\nsub.s64 %a1, %a1, 1;\n"
                   "setp.gt.s64 %p2, %a1, 0;\n@%p2 bra OUTER;\n",
                   4),
            4u * 3 + 3u * 7);
}

TEST(Turns, NothingIsCountedWithoutALoop) {
  EXPECT_EQ(turned("setp.gt.s64 %p1, %a1, 0;\n@%p1 bra L;\nmov.u32 %r1, 0;\nL:\n", 5), 0u);
}

TEST(Turns, AThreadThatEndsInALoopSaysThem) {
  EXPECT_EQ(turned("L:\nsub.s64 %a1, %a1, 1;\nsetp.lt.s64 %p1, %a1, 5;\n@%p1 ret;\nbra L;\n", 9),
            4u * 4);
}

}  // namespace
}  // namespace xfer::kernels
