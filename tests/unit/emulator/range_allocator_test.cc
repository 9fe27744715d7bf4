#include "machine/range_allocator.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace xfer::emulator {
namespace {

constexpr std::uint64_t kUnit = RangeAllocator::kAlignment;

TEST(RangeAllocator, AlignsAndUsesFreedRangesAgain) {
  RangeAllocator allocator(4 * kUnit);
  const auto first = allocator.allocate(1);
  const auto second = allocator.allocate(kUnit + 1);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first % kUnit, 0u);
  EXPECT_EQ(*second, *first + kUnit);
  EXPECT_EQ(allocator.bytes_free(), kUnit);
  EXPECT_EQ(allocator.release(*first)->bytes, 1u);
  EXPECT_EQ(allocator.allocate(kUnit), first);
}

TEST(RangeAllocator, MergesNeighboursWhateverTheOrderOfRelease) {
  for (const bool backwards : {false, true}) {
    RangeAllocator allocator(3 * kUnit);
    std::uint64_t offsets[3];
    for (auto& offset : offsets) offset = *allocator.allocate(kUnit);
    EXPECT_FALSE(allocator.allocate(1));
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(allocator.release(offsets[backwards ? 2 - i : i]));
    EXPECT_TRUE(allocator.allocate(3 * kUnit));
  }
}

TEST(RangeAllocator, RefusesWhatIsNotTheBeginningOfALiveRange) {
  RangeAllocator allocator(4 * kUnit);
  const std::uint64_t offset = *allocator.allocate(2 * kUnit);
  EXPECT_FALSE(allocator.release(offset + kUnit));
  EXPECT_TRUE(allocator.release(offset));
  EXPECT_FALSE(allocator.release(offset));
}

TEST(RangeAllocator, FindsByAnyByteOfTheRangeAndNoOther) {
  RangeAllocator allocator(8 * kUnit);
  const std::uint64_t offset = *allocator.allocate(100);
  EXPECT_EQ(allocator.find(offset + 99)->offset, offset);
  EXPECT_FALSE(allocator.find(offset + 100));  // padding is not part of it
  EXPECT_EQ(allocator.find_before(offset + 300)->bytes, 100u);
}

TEST(RangeAllocator, RefusesSizesThatOverflow) {
  RangeAllocator allocator(4 * kUnit);
  EXPECT_FALSE(allocator.allocate(~std::uint64_t{0}));
  EXPECT_FALSE(allocator.allocate(4 * kUnit + 1));
}

TEST(RangeAllocator, NeverOverlapsAndNeverLeaks) {
  std::mt19937 random(7);
  RangeAllocator allocator(1 << 20);
  std::map<std::uint64_t, std::uint64_t> live;
  for (int i = 0; i < 20'000; ++i) {
    if (live.empty() || random() % 2 == 0) {
      const std::uint64_t bytes = 1 + random() % 20'000;
      const auto offset = allocator.allocate(bytes);
      if (!offset) continue;
      const auto next = live.lower_bound(*offset);
      ASSERT_TRUE(next == live.end() || *offset + bytes <= next->first);
      if (next != live.begin()) {
        const auto previous = std::prev(next);
        ASSERT_LE(previous->first + previous->second, *offset);
      }
      live.emplace(*offset, bytes);
    } else {
      auto it = live.begin();
      std::advance(it, static_cast<std::ptrdiff_t>(random() % live.size()));
      ASSERT_TRUE(allocator.release(it->first));
      live.erase(it);
    }
  }
  for (const auto& [offset, bytes] : live) ASSERT_TRUE(allocator.release(offset));
  EXPECT_EQ(allocator.bytes_free(), std::uint64_t{1} << 20);
  EXPECT_TRUE(allocator.allocate(1 << 20));
}

TEST(RangeAllocator, KeepsADistance) {
  RangeAllocator allocator(1 << 20, {.gap = 512, .quarantine = 2, .quarantine_bytes = 8192});
  const std::uint64_t first = *allocator.allocate(512);
  const std::uint64_t second = *allocator.allocate(512);
  EXPECT_EQ(second, first + 1024);
  allocator.release(first);
  EXPECT_NE(*allocator.allocate(512), first) << "it was released just now";
  allocator.release(second);
  allocator.release(*allocator.allocate(512));
  EXPECT_EQ(*allocator.allocate(512), first) << "two others were since";
}

TEST(RangeAllocator, EndsAQuarantineThatLeavesNoRoom) {
  RangeAllocator allocator(1 << 20, {.gap = 512, .quarantine = 8, .quarantine_bytes = 1 << 20});
  const std::uint64_t all = *allocator.allocate(1 << 20);
  EXPECT_FALSE(allocator.allocate(1));
  allocator.release(all);
  EXPECT_EQ(allocator.bytes_free(), std::uint64_t{1} << 20);
  EXPECT_TRUE(allocator.allocate(1 << 20));
}

}  // namespace
}  // namespace xfer::emulator
