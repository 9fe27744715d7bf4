#include "machine/host_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace xfer::emulator {
namespace {

std::uintptr_t value(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

TEST(HostMemory, KnowsPinnedAndManagedApart) {
  HostMemory memory;
  char* const pinned = static_cast<char*>(memory.allocate(100, HostKind::kPinned, 3, 1));
  void* const managed = memory.allocate(100, HostKind::kManaged, 1, 0);
  ASSERT_TRUE(memory.find(value(pinned + 99)));
  EXPECT_EQ(memory.find(value(pinned + 99))->flags, 3u);
  EXPECT_FALSE(memory.find(value(pinned + 100)));
  EXPECT_EQ(memory.find(value(managed))->kind, HostKind::kManaged);
  EXPECT_FALSE(memory.release(managed, false));
  EXPECT_FALSE(memory.release(pinned + 1, false));
  EXPECT_TRUE(memory.release(managed, true));
  EXPECT_TRUE(memory.release(pinned, false));
  EXPECT_FALSE(memory.release(pinned, false));
}

TEST(HostMemory, WhatIsBehindManagedMemoryIsNotTheHosts) {
  HostMemory memory;
  std::vector<char*> blocks;
  for (int i = 0; i < 100; ++i) {
    blocks.push_back(static_cast<char*>(memory.allocate(60, HostKind::kManaged, 1, 0)));
    EXPECT_EQ(value(blocks.back()) % 4096, 0u);
    std::fill_n(blocks.back() + 60, 4096 - 60, 'x');
    // On the heap beside it something would be there.
    const std::vector<char> host(60, 'h');
    EXPECT_EQ(std::count(host.begin(), host.end(), 'h'), 60);
  }
  for (char* const block : blocks) {
    EXPECT_EQ(std::count(block, block + 60, '\0'), 60);
    EXPECT_TRUE(memory.release(block, true));
  }
}

TEST(HostMemory, RegistersRangesThatDoNotOverlap) {
  HostMemory memory;
  char buffer[300];
  EXPECT_TRUE(memory.add_registered(buffer + 100, 100, 0, 0));
  EXPECT_FALSE(memory.add_registered(buffer, 101, 0, 0));
  EXPECT_FALSE(memory.add_registered(buffer + 199, 10, 0, 0));
  EXPECT_TRUE(memory.add_registered(buffer, 100, 0, 0));
  EXPECT_TRUE(memory.add_registered(buffer + 200, 100, 0, 0));
  EXPECT_FALSE(memory.release(buffer, false));  // not ours to free
  EXPECT_FALSE(memory.remove_registered(buffer + 1));
  EXPECT_TRUE(memory.remove_registered(buffer));
}

}  // namespace
}  // namespace xfer::emulator
