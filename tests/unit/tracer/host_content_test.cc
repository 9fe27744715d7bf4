#include "host_content.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "mappings.h"

namespace xfer::tracer {
namespace {

std::uint64_t address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

TEST(HostContent, TellsReadableMemoryFromOther) {
  const std::vector<char> data(10000, 'x');
  EXPECT_TRUE(is_readable(address(data.data()), data.size()));
  EXPECT_FALSE(is_readable(0, 8));
  EXPECT_FALSE(is_readable(16, 8));
  EXPECT_FALSE(is_readable(~std::uint64_t{0} - 4, 8));
  EXPECT_FALSE(is_readable(0x4141414141414141U, 8));

  constexpr std::size_t kPage = 4096;
  auto* pages = static_cast<char*>(
      mmap(nullptr, 3 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(mprotect(pages + kPage, kPage, PROT_NONE), 0);
  errno = 7;
  EXPECT_TRUE(is_readable(address(pages), kPage));
  EXPECT_FALSE(is_readable(address(pages), kPage + 1));
  EXPECT_FALSE(is_readable(address(pages), 3 * kPage)) << "a hole in the middle";
  EXPECT_EQ(errno, 7);
  munmap(pages, 3 * kPage);
}

// Of large ranges the list of mappings is looked at first.
TEST(HostContent, TellsLargeReadableMemoryFromOther) {
  constexpr std::size_t kBytes = 64 << 20;
  void* const memory =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* const bytes = static_cast<char*>(memory);
  EXPECT_TRUE(is_readable(address(bytes), kBytes));
  ASSERT_EQ(mprotect(bytes + kBytes / 2, 4096, PROT_READ), 0);
  EXPECT_TRUE(is_readable(address(bytes), kBytes)) << "three mappings side by side";
  EXPECT_TRUE(is_readable(address(bytes) + 5000, kBytes - 9000));
  ASSERT_EQ(mprotect(bytes + kBytes / 2, 4096, PROT_NONE), 0);
  EXPECT_FALSE(is_readable(address(bytes), kBytes));
  ASSERT_EQ(munmap(bytes + kBytes / 2, 4096), 0);
  EXPECT_FALSE(is_readable(address(bytes), kBytes));
  EXPECT_TRUE(is_readable(address(bytes), kBytes / 2));
  munmap(memory, kBytes);
}

TEST(HostContent, AFileThatEndsBeforeItsMappingIsNotReadable) {
  constexpr std::size_t kBytes = 64 << 20;
  std::FILE* const file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  ASSERT_EQ(ftruncate(fileno(file), kBytes / 2), 0);
  void* const memory = mmap(nullptr, kBytes, PROT_READ, MAP_SHARED, fileno(file), 0);
  ASSERT_NE(memory, MAP_FAILED);
  EXPECT_FALSE(is_readable(address(memory), kBytes));
  EXPECT_TRUE(is_readable(address(memory), kBytes / 2));
  munmap(memory, kBytes);
  std::fclose(file);
}

TEST(HostContent, ReadsTheMappings) {
  const int local = 0;
  bool found = false;
  std::uint64_t last = 0;
  read_mappings([&](const Mapping& mapping) {
    EXPECT_LT(mapping.begin, mapping.end);
    EXPECT_GE(mapping.begin, last);
    last = mapping.end;
    if (address(&local) - mapping.begin < mapping.end - mapping.begin) {
      found = true;
      EXPECT_TRUE(mapping.readable);
      EXPECT_EQ(mapping.inode, 0U);
      EXPECT_FALSE(mapping.special);
    }
    return true;
  });
  EXPECT_TRUE(found);
}

TEST(HostContent, RowsHashAsTheirPayload) {
  std::vector<char> packed(60);
  for (std::size_t i = 0; i < packed.size(); ++i) packed[i] = static_cast<char>(i);
  std::vector<char> pitched(3 * 32, '?');
  for (int row = 0; row < 3; ++row) std::memcpy(&pitched[row * 32], &packed[row * 20], 20);
  CopyCall transfer;
  transfer.width = 20;
  transfer.rows = 3;
  transfer.source.address = address(packed.data());
  transfer.destination.address = address(pitched.data());
  transfer.destination.pitch = 32;
  const auto from = hash_side(transfer, transfer.source, false);
  const auto to = hash_side(transfer, transfer.destination, false);
  ASSERT_TRUE(from && to);
  EXPECT_EQ(*from, *to);
  EXPECT_EQ(*from, content_hash(packed.data(), packed.size()));
}

TEST(HostContent, UnreadableMemoryHasNoHash) {
  CopyCall transfer;
  transfer.width = 64;
  transfer.source.address = 0x1000;
  EXPECT_FALSE(hash_side(transfer, transfer.source, false).has_value());
}

}  // namespace
}  // namespace xfer::tracer
