#include "xfer/stack.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <vector>

namespace xfer::test {
namespace {

[[gnu::noinline]] std::size_t capture_at_depth(int depth, std::span<std::uintptr_t> out,
                                               const FrameFilter& filter) {
  const std::size_t count =
      depth == 0 ? capture_stack(out, filter) : capture_at_depth(depth - 1, out, filter);
  asm volatile("" ::: "memory");  // no tail call
  return count;
}

TEST(Stack, HoldsTheCallersInnermostFirst) {
  std::vector<std::uintptr_t> shallow(kMaxStackDepth);
  std::vector<std::uintptr_t> deep(kMaxStackDepth);
  shallow.resize(capture_at_depth(0, shallow, {}));
  deep.resize(capture_at_depth(5, deep, {}));
  ASSERT_GE(shallow.size(), 3u);
  ASSERT_EQ(deep.size(), shallow.size() + 5);
  // The outermost frames are the same; the innermost lies in capture_at_depth.
  EXPECT_EQ(deep.back(), shallow.back());
  const auto begin = reinterpret_cast<std::uintptr_t>(&capture_at_depth);
  EXPECT_GT(deep.front(), begin);
  EXPECT_LT(deep.front(), begin + 4096);
}

TEST(Stack, LibunwindAndLibgccAgree) {
  std::vector<std::uintptr_t> before(kMaxStackDepth);
  std::vector<std::uintptr_t> after(kMaxStackDepth);
  for (int i = 0; i < 2; ++i) {
    (i == 0 ? before : after).resize(capture_at_depth(3, i == 0 ? before : after, {}));
    if (i == 0) prepare_stack_capture();
  }
  EXPECT_EQ(std::vector(before.begin(), before.begin() + 4),
            std::vector(after.begin(), after.begin() + 4));
}

TEST(Stack, IsCutAtTheRoomGiven) {
  std::vector<std::uintptr_t> frames(2);
  EXPECT_EQ(capture_at_depth(5, frames, {}), 2u);
}

TEST(Stack, FilterDropsInnerFramesOnly) {
  FrameFilter filter;
  ASSERT_TRUE(filter.add_module_of(reinterpret_cast<const void*>(&qsort)));
  EXPECT_TRUE(filter.skips(reinterpret_cast<std::uintptr_t>(&qsort)));
  static std::vector<std::uintptr_t> frames;
  static FrameFilter used;
  used = filter;
  frames.assign(kMaxStackDepth, 0);
  // libc calls back into this program: its frame is outer, and stays.
  int values[2] = {2, 1};
  qsort(values, 2, sizeof(int), [](const void*, const void*) {
    frames.assign(kMaxStackDepth, 0);
    frames.resize(capture_stack(frames, used));
    return 0;
  });
  EXPECT_FALSE(used.skips(frames.front()));
  bool through_libc = false;
  for (const std::uintptr_t frame : frames) through_libc |= used.skips(frame);
  EXPECT_TRUE(through_libc);
}

TEST(Stack, FilterRefusesAnAddressOfNoModule) {
  int local = 0;
  EXPECT_FALSE(FrameFilter().add_module_of(&local));
}

}  // namespace
}  // namespace xfer::test
