#include "xfer/content_hash.h"

#include <gtest/gtest.h>

#include <string>

namespace xfer::test {
namespace {

TEST(ContentHash, TellsContentsApart) {
  const std::string a(1000, 'a');
  std::string b = a;
  EXPECT_EQ(content_hash(a.data(), a.size()), content_hash(b.data(), b.size()));
  b[500] = 'b';
  EXPECT_NE(content_hash(a.data(), a.size()), content_hash(b.data(), b.size()));
  EXPECT_NE(content_hash(a.data(), 999), content_hash(a.data(), 1000));
}

TEST(ContentHash, OfRowsIsThatOfTheRowsPutTogether) {
  const std::string pitched = "abcd__efgh__ijkl__";
  const std::string packed = "abcdefghijkl";
  EXPECT_EQ(content_hash_rows(pitched.data(), 4, 3, 6), content_hash(packed.data(), packed.size()));
  EXPECT_EQ(content_hash_rows(packed.data(), 4, 3, 4), content_hash(packed.data(), packed.size()));
}

TEST(ContentHash, OfNothingIsDefined) { EXPECT_EQ(content_hash(nullptr, 0), content_hash("", 0)); }

}  // namespace
}  // namespace xfer::test
