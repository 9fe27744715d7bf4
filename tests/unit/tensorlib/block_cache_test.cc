// The blocks that tensors gave back.

#include "backend/cpu/block_cache.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tensorlib::cpu {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

TEST(BlockCache, SizesAreAtMostAnEighthMore) {
  for (const size_t nbytes :
       {kMiB, kMiB + 1, 3 * kMiB - 1, 5 * kMiB, 16 * kMiB, 100 * kMiB, BlockCache::kMost}) {
    EXPECT_GE(BlockCache::size_of(nbytes), nbytes);
    EXPECT_LE(BlockCache::size_of(nbytes), nbytes + nbytes / 8 + 1);
    EXPECT_EQ(BlockCache::size_of(BlockCache::size_of(nbytes)), BlockCache::size_of(nbytes));
  }
  EXPECT_EQ(BlockCache::size_of(100), 100U);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

TEST(BlockCache, HandsOutWhatItKept) {
  BlockCache cache;
  EXPECT_EQ(cache.take(4 * kMiB), nullptr);
  void* const block = std::malloc(BlockCache::size_of(4 * kMiB));
  ASSERT_TRUE(cache.keep(block, 4 * kMiB));
  EXPECT_EQ(cache.take(8 * kMiB), nullptr);
  EXPECT_EQ(cache.take(4 * kMiB), block);
  EXPECT_EQ(cache.take(4 * kMiB), nullptr);
  std::free(block);
}

TEST(BlockCache, SmallAndVeryLargeBlocksAreNotKept) {
  BlockCache cache;
  char small = 0;
  EXPECT_FALSE(cache.keep(&small, 1));
  EXPECT_FALSE(cache.keep(&small, BlockCache::kMost + 1));
}

TEST(BlockCache, OlderBlocksMakeRoom) {
  BlockCache cache;
  std::vector<void*> blocks;
  for (int i = 0; i < 3; ++i) {
    blocks.push_back(std::malloc(48 * kMiB));
    ASSERT_TRUE(cache.keep(blocks.back(), 48 * kMiB));
  }
  EXPECT_EQ(cache.take(48 * kMiB), blocks[2]);
  EXPECT_EQ(cache.take(48 * kMiB), blocks[1]);
  EXPECT_EQ(cache.take(48 * kMiB), nullptr);
  std::free(blocks[1]);
  std::free(blocks[2]);
}

TEST(BlockCache, ManyThreads) {
  BlockCache cache;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        void* block = cache.take(kMiB);
        if (block == nullptr) block = std::malloc(kMiB);
        static_cast<char*>(block)[0] = 1;
        if (!cache.keep(block, kMiB)) std::free(block);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

#endif

}  // namespace
}  // namespace tensorlib::cpu
