#include "src/text.h"

#include <gtest/gtest.h>

namespace xfer {
namespace {

TEST(Printable, keeps_text_and_utf8) {
  EXPECT_EQ(printable("a < b"), "a < b");
  EXPECT_EQ(printable("größe 漢 😀"), "größe 漢 😀");
}

TEST(Printable, escapes_what_drives_a_terminal) {
  EXPECT_EQ(printable("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(printable("a\nb\tc\r"), "a b c ");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
  EXPECT_EQ(printable("\xC2\x9B"), "\\x9b");  // C1: one-byte CSI
  EXPECT_EQ(printable("\u202E"), "\\u202e");  // right-to-left override
  EXPECT_EQ(printable("\u2066"), "\\u2066");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Printable, replaces_broken_utf8) {
  EXPECT_EQ(printable("a\xFF"
                      "b"),
            "a\uFFFD"
            "b");
  EXPECT_EQ(printable("\xC0\x80"), "\uFFFD\uFFFD");            // overlong
  EXPECT_EQ(printable("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // surrogate
  EXPECT_EQ(printable("\xE2\x82"), "\uFFFD\uFFFD");            // cut short
}

TEST(Width, counts_code_points) {
  EXPECT_EQ(width("größe"), 5u);
  EXPECT_EQ(code_points_before("größe", 4), 3u);
}

}  // namespace
}  // namespace xfer
