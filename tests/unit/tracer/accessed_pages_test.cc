#include "accessed_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <thread>

namespace xfer::tracer {
namespace {

/// Pages of plain memory, each of which was written to.
class Memory {
 public:
  explicit Memory(std::size_t bytes, int sharing = MAP_PRIVATE) : bytes_(bytes) {
    data_ = static_cast<char*>(
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0));
    std::memset(data_, 1, bytes);
  }
  ~Memory() { munmap(data_, bytes_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  volatile char* data() const { return data_; }
  std::uint64_t at(std::size_t byte) const { return reinterpret_cast<std::uint64_t>(data_ + byte); }
  void map_anew() const {
    mmap(data_, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  }

 private:
  std::size_t bytes_;
  char* data_;
};

class AccessedPagesTest : public testing::Test {
 protected:
  static constexpr std::size_t kBytes = 64 << 10;

  void SetUp() override {
    const Memory tried(kBytes);
    auto pages = AccessedPages::pages_of(tried.at(0), kBytes);
    if (!pages_.mark(pages)) GTEST_SKIP() << "this kernel does not show which pages were accessed";
  }
  AccessedPages::Marked mark(std::uint64_t address, std::uint64_t bytes,
                             AccessedPages::Kind kind = AccessedPages::Kind::kRandom) {
    auto pages = AccessedPages::pages_of(address, bytes);
    pages.kind = kind;
    EXPECT_TRUE(pages_.mark(pages));
    return pages;
  }
  bool accessed(const AccessedPages::Marked& pages) { return pages_.accessed({&pages, 1})[0]; }

  AccessedPages pages_{100};
  const Memory memory_{kBytes};
};

TEST_F(AccessedPagesTest, NothingUntilOneByteIsReadOrWritten) {
  for (const std::size_t byte : {std::size_t{0}, kBytes / 2, kBytes - 1})
    for (const bool writes : {false, true}) {
      const auto pages = mark(memory_.at(0), kBytes);
      EXPECT_FALSE(accessed(pages));
      EXPECT_FALSE(accessed(pages)) << "the question itself is no access";
      if (writes)
        memory_.data()[byte] = 2;
      else
        static_cast<void>(memory_.data()[byte]);
      EXPECT_TRUE(accessed(pages)) << byte;
      EXPECT_TRUE(accessed(pages)) << "it stays so";
    }
}

TEST_F(AccessedPagesTest, ByAnotherThreadAndByTheSystem) {
  const auto by_thread = mark(memory_.at(0), kBytes);
  std::thread([&] { static_cast<void>(memory_.data()[kBytes / 3]); }).join();
  EXPECT_TRUE(accessed(by_thread));

  const auto by_system = mark(memory_.at(0), kBytes);
  std::FILE* const file = std::tmpfile();
  ASSERT_EQ(write(fileno(file), reinterpret_cast<void*>(memory_.at(5000)), 10), 10);
  std::fclose(file);
  EXPECT_TRUE(accessed(by_system));
}

TEST_F(AccessedPagesTest, OutsideOfItIsNone) {
  const auto pages = mark(memory_.at(4096), 8192);
  static_cast<void>(memory_.data()[0]);
  static_cast<void>(memory_.data()[3 * 4096]);
  EXPECT_FALSE(accessed(pages));
  static_cast<void>(memory_.data()[2 * 4096]);
  EXPECT_TRUE(accessed(pages));
}

TEST_F(AccessedPagesTest, NeighboursOfTwoKindsAreToldApart) {
  const auto first = mark(memory_.at(0), 8192);
  const auto second = mark(memory_.at(8192), 8192, AccessedPages::Kind::kSequential);
  EXPECT_TRUE(first.touches(second));
  static_cast<void>(memory_.data()[0]);
  EXPECT_TRUE(accessed(first));
  EXPECT_FALSE(accessed(second));
}

TEST_F(AccessedPagesTest, MemoryThatWasMappedAnewMayHaveBeen) {
  const auto pages = mark(memory_.at(0), kBytes);
  static_cast<void>(memory_.data()[0]);
  memory_.map_anew();
  EXPECT_TRUE(accessed(pages));
}

TEST_F(AccessedPagesTest, SharedMemoryMayHaveBeen) {
  const Memory shared(kBytes, MAP_SHARED);
  EXPECT_TRUE(accessed(mark(shared.at(0), kBytes)));
}

TEST_F(AccessedPagesTest, AfterAForkTheChildMayHave) {
  const auto pages = mark(memory_.at(0), kBytes);
  const pid_t child = fork();
  if (child == 0) _exit(memory_.data()[0] == 1 ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(accessed(pages));
}

TEST_F(AccessedPagesTest, WhatIsNotMappedIsNotMarked) {
  auto pages = AccessedPages::pages_of(0x1000, 4096);
  EXPECT_FALSE(pages_.mark(pages));
}

}  // namespace
}  // namespace xfer::tracer
