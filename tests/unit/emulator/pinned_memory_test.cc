#include "machine/pinned_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>

namespace xfer::emulator {
namespace {

constexpr std::size_t kBytes = 1 << 20;

class PinnedMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(block_, nullptr);
    std::memset(block_, 1, kBytes);
    memory_.clear_touches(address(), kBytes);
  }
  std::uintptr_t address(std::size_t offset = 0) const {
    return reinterpret_cast<std::uintptr_t>(block_) + offset;
  }

  PinnedMemory memory_;
  char* const block_ = static_cast<char*>(memory_.allocate(kBytes));
};

TEST_F(PinnedMemoryTest, CopiesAreNoTouchAndAreThere) {
  auto* const copies = reinterpret_cast<char*>(memory_.copy_view(address()));
  std::memset(copies, 2, kBytes);
  EXPECT_FALSE(memory_.touched(address(), kBytes));
  EXPECT_EQ(block_[kBytes - 1], 2);
  EXPECT_EQ(*copies, 2);
}

TEST_F(PinnedMemoryTest, ReadsAndWritesOfThatPartAreTouches) {
  EXPECT_EQ(block_[3], 1);
  EXPECT_TRUE(memory_.touched(address(), 8));
  EXPECT_FALSE(memory_.touched(address(kBytes / 2), 4096));
  block_[kBytes / 2] = 3;
  EXPECT_TRUE(memory_.touched(address(kBytes / 2), 4096));
  EXPECT_TRUE(memory_.touched(address(), kBytes));
  memory_.clear_touches(address(), kBytes);
  EXPECT_FALSE(memory_.touched(address(), kBytes));
  EXPECT_EQ(block_[kBytes / 2], 3) << "nothing is lost";
}

TEST_F(PinnedMemoryTest, ASystemCallIsATouch) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  EXPECT_EQ(write(pipe_ends[1], block_, 4096), 4096);
  EXPECT_TRUE(memory_.touched(address(), 4096));
  for (const int file : {pipe_ends[0], pipe_ends[1]}) close(file);
}

TEST_F(PinnedMemoryTest, NothingIsKnownOfOtherMemoryOrOfSharedMemory) {
  int other = 0;
  EXPECT_TRUE(memory_.touched(reinterpret_cast<std::uintptr_t>(&other), sizeof(other)));
  memory_.share();
  EXPECT_TRUE(memory_.touched(address(), kBytes));
}

TEST_F(PinnedMemoryTest, BlocksHavePagesOfTheirOwnAndAreUsedAgain) {
  void* const next = memory_.allocate(1);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(next) % 4096, 0u);
  EXPECT_FALSE(memory_.release(block_ + 4096));
  EXPECT_TRUE(memory_.release(next));
  EXPECT_FALSE(memory_.release(next));
  EXPECT_EQ(memory_.allocate(4096), next);
  EXPECT_EQ(memory_.allocate(std::size_t{1} << 40), nullptr);
}

}  // namespace
}  // namespace xfer::emulator
