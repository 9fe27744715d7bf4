#include "content_budget.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "xfer/content_hash.h"

namespace xfer::tracer {
namespace {

constexpr std::uint64_t kMs = 1'000'000;
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

std::uint64_t g_now = 0;
std::uint64_t now() { return g_now; }

class ContentBudgetTest : public testing::Test {
 protected:
  void SetUp() override { g_now = 1000; }

  std::vector<char> content(int which, std::size_t bytes = kMiB) const {
    return std::vector<char>(bytes, static_cast<char>(which));
  }
  static void read_for(ContentBudget& budget, std::uint64_t bytes, std::uint64_t ns) {
    EXPECT_EQ(budget.spend(bytes, [&] { g_now += ns; }), ns);
  }
};

TEST_F(ContentBudgetTest, ShortProgramsAreReadInFull) {
  ContentBudget budget(5, now, now);
  for (int i = 0; i < 20; ++i) {
    const auto data = content(i);
    EXPECT_TRUE(budget.wants(data.data(), data.size())) << i;
    read_for(budget, data.size(), kMs);
  }
  EXPECT_EQ(budget.account().read_bytes, 20 * kMiB);
  EXPECT_EQ(budget.account().read_ns, 20 * kMs);
  EXPECT_EQ(budget.account().skipped_copies, 0U);
}

TEST_F(ContentBudgetTest, WaitingForTheProcessorIsNotReading) {
  static std::uint64_t work = 0;
  ContentBudget budget(5, now, [] { return work; });
  const auto read = [] {
    g_now += 100 * kMs;
    work += kMs;
  };
  for (int i = 0; i < 20; ++i) {
    const auto data = content(i);
    EXPECT_TRUE(budget.wants(data.data(), data.size())) << i;
    EXPECT_EQ(budget.spend(data.size(), read), 100 * kMs);
  }
  EXPECT_EQ(budget.account().read_ns, 20 * kMs);
}

TEST_F(ContentBudgetTest, TakesNoMoreThanItsShare) {
  for (const std::uint64_t percent : {1, 5, 20}) {
    g_now = 1000;
    ContentBudget budget(percent, now, now);
    // Uploads that never repeat, 1 ms each to read, as often as the program can.
    std::vector<char> data(kMiB);
    for (int i = 0; i < 20'000; ++i) {
      g_now += kMs / 2;
      std::memcpy(data.data(), &i, sizeof(i));
      if (budget.wants(data.data(), data.size())) read_for(budget, kMiB, kMs);
    }
    const double run = static_cast<double>(g_now - 1000);
    const double share = static_cast<double>(budget.account().read_ns) / run;
    EXPECT_LT(share, static_cast<double>(percent) / 100 + 50e6 / run);
    EXPECT_GT(share, static_cast<double>(percent) / 100 * 0.4) << "and makes use of it";
    EXPECT_EQ(budget.account().skipped_copies + budget.account().read_bytes / kMiB, 20'000U);
    EXPECT_EQ(budget.account().skipped_bytes, budget.account().skipped_copies * kMiB);
  }
}

TEST_F(ContentBudgetTest, WhatIsLeftGoesToContentThatRepeats) {
  ContentBudget budget(5, now, now);
  read_for(budget, 64 * kMiB, 30 * kMs);  // more than half of what there is at first
  const auto first = content(1), second = content(2);
  EXPECT_FALSE(budget.wants(first.data(), first.size()));
  EXPECT_FALSE(budget.wants(second.data(), second.size()));
  EXPECT_TRUE(budget.wants(first.data(), first.size())) << "seen before";
  EXPECT_FALSE(budget.wants(first.data(), first.size() / 2)) << "not of this size";
  EXPECT_FALSE(budget.wants(nullptr, first.size()));
  EXPECT_EQ(budget.account().skipped_copies, 4U);
  read_for(budget, 64 * kMiB, 30 * kMs);  // all of it
  EXPECT_FALSE(budget.wants(first.data(), first.size()));
  EXPECT_FALSE(budget.affords(first.size()));
  g_now += 1000 * kMs;
  EXPECT_TRUE(budget.affords(first.size()));
}

TEST_F(ContentBudgetTest, LittleContentIsAlwaysRead) {
  ContentBudget none(0, now, now);
  const auto data = content(1, ContentBudget::kAlwaysBytes + 1);
  EXPECT_TRUE(none.wants(data.data(), ContentBudget::kAlwaysBytes));
  EXPECT_FALSE(none.wants(data.data(), data.size()));
  EXPECT_FALSE(none.wants(data.data(), data.size())) << "not even when it repeats";
}

TEST_F(ContentBudgetTest, NoLimit) {
  ContentBudget budget(100, now, now);
  read_for(budget, 64 * kMiB, 1000 * kMs);
  EXPECT_TRUE(budget.wants(nullptr, 1000 * kMiB));
}

TEST(ContentSample, DiffersOnlyWhereContentOrSizeDoes) {
  std::mt19937_64 random(1);
  for (const std::size_t bytes : {1U, 64U, 2047U, 2048U, 2049U, 5000U, 1U << 20}) {
    std::vector<unsigned char> data(bytes + 1, 7);
    const std::uint64_t sample = content_sample(data.data(), bytes);
    EXPECT_EQ(content_sample(std::vector<unsigned char>(bytes, 7).data(), bytes), sample);
    EXPECT_NE(content_sample(data.data(), bytes + 1), sample);
    for (const std::size_t at : {std::size_t{0}, bytes - 1}) {
      data[at] ^= 1;
      EXPECT_NE(content_sample(data.data(), bytes), sample) << bytes << " at " << at;
      data[at] ^= 1;
    }
  }
}

}  // namespace
}  // namespace xfer::tracer
