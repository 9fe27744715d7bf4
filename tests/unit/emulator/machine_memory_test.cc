#include "machine/machine_memory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace xfer::emulator {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kGib = std::uint64_t{1} << 30;

class MachineMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(::testing::TempDir()) /
            ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  std::uint64_t found() const { return memory_of_machine(root_.string()); }

 private:
  fs::path root_;
};

TEST_F(MachineMemory, IsWhatIsInstalled) {
  write("proc/meminfo", "MemFree:  1 kB\nMemTotal:       8388608 kB\nMemAvailable: 3 kB\n");
  EXPECT_EQ(found(), 8 * kGib);
}

TEST_F(MachineMemory, IsLessWhereAGroupAroundTheProcessHasLess) {
  write("proc/meminfo", "MemTotal: 8388608 kB\n");
  write("proc/self/cgroup", "1:name=systemd:/\n0::/ci/job\n");
  write("sys/fs/cgroup/ci/job/memory.max", "max\n");
  write("sys/fs/cgroup/ci/memory.max", "2147483648\n");
  EXPECT_EQ(found(), 2 * kGib);
}

TEST_F(MachineMemory, IsLessInAGroupOfTheFirstVersion) {
  write("proc/meminfo", "MemTotal: 8388608 kB\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n");
  EXPECT_EQ(found(), kGib);
}

TEST_F(MachineMemory, IsNotKnown) { EXPECT_EQ(found(), 0U); }

TEST(DeviceMemory, IsAShareOfHalfTheMachine) {
  EXPECT_EQ(memory_of_device(8 * kGib, 1), 4 * kGib);
  EXPECT_EQ(memory_of_device(8 * kGib, 4), kGib);
  EXPECT_EQ(memory_of_device(256 * kGib, 1), 16 * kGib);
  EXPECT_EQ(memory_of_device(kGib, 64), std::uint64_t{64} << 20);
  EXPECT_EQ(memory_of_device(0, 2), 16 * kGib);
}

}  // namespace
}  // namespace xfer::emulator
