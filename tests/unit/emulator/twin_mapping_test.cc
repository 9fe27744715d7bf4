#include "machine/twin_mapping.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "machine/device_memory.h"
#include "machine/pinned_memory.h"

namespace xfer::emulator {
namespace {

constexpr std::size_t kBytes = 1 << 20;

// Whether `check` holds in a process whose files may have so many bytes: one of a few answers, the
// exit code, or 128 and the signal.
int under_file_limit(rlim_t limit, bool (*check)()) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit wanted{limit, limit};
    setrlimit(RLIMIT_FSIZE, &wanted);
    _exit(check() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool maps_the_same_pages_twice() {
  void* const room =
      mmap(nullptr, 2 * kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return false;
  // The compiler takes different addresses for different memory.
  volatile char* const first = static_cast<char*>(room);
  volatile char* const second = first + kBytes;
  const auto address = reinterpret_cast<std::uintptr_t>(first);
  if (map_twice(address, address + kBytes, kBytes) != nullptr) return false;
  first[kBytes - 1] = 5;
  if (second[kBytes - 1] != 5) return false;
  second[0] = 6;
  if (first[0] != 6) return false;
  drop_pages(address + kBytes, kBytes);
  return first[0] == 0 && second[kBytes - 1] == 0;
}

bool maps_devices_and_pinned_memory() {
  DeviceMemory devices;
  PinnedMemory pinned;
  if (!devices.map(2, kBytes).empty()) return false;
  auto* const block = static_cast<char*>(pinned.allocate(kBytes));
  if (block == nullptr) return false;
  std::memset(block, 1, kBytes);
  return pinned.release(block) && block[0] == 0;
}

TEST(TwinMapping, HasTheSamePagesAtBothAddresses) {
  EXPECT_EQ(under_file_limit(RLIM_INFINITY, maps_the_same_pages_twice), 0);
}

TEST(TwinMapping, NeedsNoFileThatTheProcessMayNotMake) {
  for (const rlim_t limit : {0, 4096}) {
    EXPECT_EQ(under_file_limit(limit, maps_the_same_pages_twice), 0) << limit;
    EXPECT_EQ(under_file_limit(limit, maps_devices_and_pinned_memory), 0) << limit;
  }
}

}  // namespace
}  // namespace xfer::emulator
