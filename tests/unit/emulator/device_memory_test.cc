#include "machine/device_memory.h"

#include <gtest/gtest.h>

#include <cstring>

namespace xfer::emulator {
namespace {

class DeviceMemoryTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(memory_.map(3, 1 << 20), ""); }
  DeviceMemory memory_;
};

TEST_F(DeviceMemoryTest, KernelsReachWhatProgramsHoldAtAFixedDistance) {
  const std::uintptr_t address = *memory_.allocate(1, 4096);
  EXPECT_EQ(memory_.device_of(address), 1);
  auto* const view = memory_.kernel_view(reinterpret_cast<const void*>(address));
  std::memset(view, 7, 4096);
  EXPECT_EQ(view[4095], std::byte{7});
  EXPECT_EQ(memory_.device_of(reinterpret_cast<std::uintptr_t>(view)), -1);
}

TEST_F(DeviceMemoryTest, TheHostCannotTouchIt) {
  const std::uintptr_t address = *memory_.allocate(0, 64);
  volatile char* const pointer = reinterpret_cast<char*>(address);
  EXPECT_DEATH(static_cast<void>(*pointer), "");
  EXPECT_DEATH(*pointer = 1, "");
}

TEST_F(DeviceMemoryTest, DevicesHaveMemoryOfTheirOwn) {
  const auto full = memory_.allocate(0, 1 << 20);
  ASSERT_TRUE(full);
  EXPECT_EQ(memory_.bytes_free(0), 0u);
  EXPECT_FALSE(memory_.allocate(0, 1));
  EXPECT_TRUE(memory_.allocate(2, 1 << 20));
}

TEST_F(DeviceMemoryTest, ReleasedMemoryIsGivenBackToTheMachine) {
  const std::uintptr_t address = *memory_.allocate(0, 1 << 20);
  auto* const view = memory_.kernel_view(reinterpret_cast<const void*>(address));
  std::memset(view, 1, 1 << 20);
  ASSERT_TRUE(memory_.release(address));
  EXPECT_FALSE(memory_.release(address));
  EXPECT_EQ(view[1 << 19], std::byte{0});  // the pages are gone
}

TEST_F(DeviceMemoryTest, FindsBlocksByAnyOfTheirAddresses) {
  const std::uintptr_t address = *memory_.allocate(2, 1000);
  const auto block = memory_.find(address + 999);
  ASSERT_TRUE(block);
  EXPECT_EQ(block->device, 2);
  EXPECT_EQ(block->address, address);
  EXPECT_EQ(block->bytes, 1000u);
  EXPECT_FALSE(memory_.find(address + 1000));
  int local = 0;
  EXPECT_FALSE(memory_.find(reinterpret_cast<std::uintptr_t>(&local)));
}

TEST(DeviceMemory, SaysWhyItCannotBeMapped) {
  DeviceMemory memory;
  EXPECT_NE(memory.map(64, std::uint64_t{1} << 46), "");
}

}  // namespace
}  // namespace xfer::emulator
