#include <gtest/gtest.h>

#include "xfer/rules/report.h"

namespace xfer {
namespace {

TEST(FormatBytes, picks_the_unit) {
  EXPECT_EQ(format_bytes(0), "0 bytes");
  EXPECT_EQ(format_bytes(1), "1 byte");
  EXPECT_EQ(format_bytes(1023), "1023 bytes");
  EXPECT_EQ(format_bytes(1024), "1 KiB");
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
  EXPECT_EQ(format_bytes(602112), "588 KiB");
  EXPECT_EQ(format_bytes(3u << 30), "3 GiB");
  EXPECT_EQ(format_bytes(~std::uint64_t{0}), "16 EiB");
}

TEST(FormatBytes, never_prints_1024_of_a_unit) {
  EXPECT_EQ(format_bytes((1u << 20) - 1), "1 MiB");
  EXPECT_EQ(format_bytes((1u << 30) - 1), "1 GiB");
}

TEST(FormatDuration, picks_the_unit) {
  EXPECT_EQ(format_duration(0), "0 ns");
  EXPECT_EQ(format_duration(999), "999 ns");
  EXPECT_EQ(format_duration(1000), "1 us");
  EXPECT_EQ(format_duration(1200000), "1.2 ms");
  EXPECT_EQ(format_duration(999'999), "1 ms");
  EXPECT_EQ(format_duration(999'999'999), "1 s");
  EXPECT_EQ(format_duration(2'500'000'000), "2.5 s");
  EXPECT_EQ(format_duration(59'999'999'999), "1 min 0 s");
  EXPECT_EQ(format_duration(90'000'000'000), "1 min 30 s");
  EXPECT_EQ(format_duration(2 * 3600'000'000'000ull + 5 * 60'000'000'000ull), "2 h 5 min");
}

}  // namespace
}  // namespace xfer
