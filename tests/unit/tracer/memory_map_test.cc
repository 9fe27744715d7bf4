#include "memory_map.h"

#include <gtest/gtest.h>

namespace xfer::tracer {
namespace {

Allocation device(std::uint64_t begin, std::uint64_t end, std::int16_t ordinal = 0) {
  return {begin, end, Space::kDevice, ordinal, false, false};
}

TEST(MemoryMap, FindsWhatAnAddressLiesIn) {
  MemoryMap map;
  map.insert(device(100, 200));
  EXPECT_EQ(map.find(100)->end, 200U);
  EXPECT_EQ(map.find(199)->begin, 100U);
  EXPECT_FALSE(map.find(200).has_value());
  EXPECT_FALSE(map.find(99).has_value());
  EXPECT_TRUE(map.erase(100).has_value());
  EXPECT_FALSE(map.erase(100).has_value());
  EXPECT_FALSE(map.find(150).has_value());
}

TEST(MemoryMap, ANewAllocationReplacesWhatItOverlaps) {
  MemoryMap map;
  map.insert(device(100, 200));
  map.insert(device(300, 400));
  map.insert(device(150, 350, 1));
  EXPECT_FALSE(map.find(100).has_value());
  EXPECT_FALSE(map.find(399).has_value());
  EXPECT_EQ(map.find(200)->device, 1);
  map.insert(device(500, 500));
  EXPECT_FALSE(map.find(500).has_value());
}

TEST(MemoryMap, ErasesADevice) {
  MemoryMap map;
  map.insert(device(100, 200, 0));
  map.insert(device(300, 400, 1));
  EXPECT_EQ(map.erase_device(0).size(), 1U);
  EXPECT_FALSE(map.find(150).has_value());
  EXPECT_TRUE(map.find(350).has_value());
}

TEST(MemoryMap, SeesDevicePointersInHostMemory) {
  MemoryMap map;
  map.insert(device(0x10000, 0x20000));
  map.insert({0x50000, 0x60000, Space::kPinned, -1, false, false});
  std::uint64_t words[4] = {1, 0x30000, 0x50008, 7};
  EXPECT_EQ(map.device_addresses().lowest, 0x10000U);
  EXPECT_EQ(map.device_addresses().span, 0x10000U);
  EXPECT_FALSE(map.holds_device_pointer(words, sizeof(words)));
  words[3] = 0x1fff8;
  EXPECT_TRUE(map.holds_device_pointer(words, sizeof(words)));
  EXPECT_FALSE(map.holds_device_pointer(words, 3 * 8 + 4));
}

TEST(MemoryMap, Shares) {
  MemoryMap map;
  map.insert(device(100, 200));
  map.share(150);
  EXPECT_TRUE(map.find(100)->shared);
}

}  // namespace
}  // namespace xfer::tracer
