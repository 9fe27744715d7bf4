// Downloads to plain memory, by the pages that are accessed. Of pinned memory: recorder_test.cc.

#include "unread_downloads.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

namespace xfer::tracer {
namespace {

constexpr std::uint64_t kPage = 4096;

class UnreadDownloadsTest : public testing::Test {
 protected:
  void SetUp() override {
    memory_ = static_cast<char*>(
        mmap(nullptr, 64 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    bring(0, 8 * kPage);
    if (gone(0, 8 * kPage).empty()) GTEST_SKIP() << "this kernel shows no accessed pages";
  }
  void TearDown() override { munmap(memory_, 64 * kPage); }

  std::uint64_t at(std::uint64_t byte) const {
    return reinterpret_cast<std::uint64_t>(memory_) + byte;
  }
  void bring(std::uint64_t byte, std::uint64_t bytes) {
    Event copy;
    copy.kind = EventKind::kCopy;
    copy.space = Space::kPageable;
    copy.source_space = Space::kDevice;
    copy.address = at(byte);
    copy.bytes = bytes;
    copy.correlation = ++correlation_;
    unread_.begins(copy);
    std::memset(memory_ + byte, 1, bytes);
    unread_.made(copy);
  }
  /// The copies, by their numbers from 1, that nobody looked at.
  std::vector<std::uint64_t> gone(std::uint64_t byte, std::uint64_t bytes) {
    std::vector<std::uint64_t> copies;
    for (const Event& event : unread_.gone(at(byte), at(byte + bytes)))
      copies.push_back(event.correlation);
    return copies;
  }
  void look(std::uint64_t byte) const {
    static_cast<void>(static_cast<volatile char*>(memory_)[byte]);
  }
  using Copies = std::vector<std::uint64_t>;

  UnreadDownloads unread_{{}, true, 100};
  char* memory_ = nullptr;
  std::uint64_t correlation_ = 0;
};

TEST_F(UnreadDownloadsTest, ToPlainMemory) {
  bring(0, 4 * kPage);
  EXPECT_EQ(gone(0, 4 * kPage), Copies{2});
  bring(0, 4 * kPage);
  look(4 * kPage - 1);
  EXPECT_EQ(gone(0, 4 * kPage), Copies{});
  EXPECT_EQ(gone(0, 4 * kPage), Copies{}) << "each is asked about once";
}

TEST_F(UnreadDownloadsTest, SeveralSideBySide) {
  for (std::uint64_t i = 0; i < 5; ++i) bring(i * 4 * kPage, 4 * kPage);
  look(4 * kPage);
  look(4 * 4 * kPage);
  EXPECT_EQ(gone(0, 64 * kPage), (Copies{2, 4, 5}));
}

TEST_F(UnreadDownloadsTest, TwoThatShareAPage) {
  bring(0, 2 * kPage + 100);
  bring(2 * kPage + 100, 2 * kPage);
  EXPECT_EQ(gone(0, 64 * kPage), (Copies{2, 3}));

  bring(0, 2 * kPage + 100);
  look(2 * kPage);
  bring(2 * kPage + 100, 2 * kPage);
  EXPECT_EQ(gone(0, 64 * kPage), Copies{5}) << "it was looked at before that";

  bring(0, 2 * kPage + 100);
  bring(2 * kPage + 100, 2 * kPage);
  look(kPage);
  EXPECT_EQ(gone(2 * kPage + 100, 2 * kPage), Copies{7});
  EXPECT_EQ(gone(0, 64 * kPage), Copies{});

  bring(0, 2 * kPage + 100);
  bring(2 * kPage + 100, 2 * kPage);
  EXPECT_EQ(gone(2 * kPage + 100, 2 * kPage), Copies{9});
  EXPECT_EQ(gone(0, 64 * kPage), Copies{8}) << "the other went first";

  bring(0, 2 * kPage + 100);
  bring(2 * kPage + 100, 2 * kPage);
  look(2 * kPage + 50);
  EXPECT_EQ(gone(0, 64 * kPage), Copies{}) << "whose it was, nobody knows";
}

TEST_F(UnreadDownloadsTest, APartOfItGoes) {
  bring(0, 4 * kPage);
  EXPECT_EQ(gone(0, kPage), Copies{}) << "the rest may be looked at yet";
}

TEST_F(UnreadDownloadsTest, ATinyOneIsNotWatched) {
  bring(0, 100);
  EXPECT_EQ(gone(0, kPage), Copies{});
}

TEST_F(UnreadDownloadsTest, TheMemoryIsFreed) {
  bring(0, 4 * kPage);
  EXPECT_TRUE(UnreadDownloads::may_begin_at(at(0)));
  EXPECT_FALSE(UnreadDownloads::may_begin_at(at(16)));
  unread_.freed(at(0));
  EXPECT_FALSE(UnreadDownloads::may_begin_at(at(0)));
  EXPECT_TRUE(unread_.has_news());
  EXPECT_EQ(gone(0, 0), Copies{2});
  EXPECT_FALSE(unread_.has_news());

  bring(0, 4 * kPage);
  look(kPage);
  unread_.freed(at(0));
  EXPECT_FALSE(unread_.has_news());
}

TEST_F(UnreadDownloadsTest, NoneWhereItIsSwitchedOff) {
  UnreadDownloads off({}, false);
  Event copy;
  copy.kind = EventKind::kCopy;
  copy.space = Space::kPageable;
  copy.source_space = Space::kDevice;
  copy.address = at(0);
  copy.bytes = 4 * kPage;
  off.made(copy);
  EXPECT_TRUE(off.gone(0, UINT64_MAX).empty());
}

}  // namespace
}  // namespace xfer::tracer
