#include "xfer/content_hash.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "upper_halves.h"

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
  EXPECT_EQ(content_hash_rows(pitched.data(), {4, 3, 6}),
            content_hash(packed.data(), packed.size()));
  EXPECT_EQ(content_hash_rows(packed.data(), {4, 3, 4}),
            content_hash(packed.data(), packed.size()));
}

TEST(ContentHash, OfSlicesIsThatOfTheirRowsPutTogether) {
  const std::string volume = "ab__cd______ef__gh__";
  EXPECT_EQ(content_hash_rows(volume.data(), {2, 2, 4, 2, 12}), content_hash("abcdefgh", 8));
}

// Sizes around every step of the loops; the word in the first, middle and last place, and in the
// rest that is no word.
TEST(ContentSearch, FindsAWordWhereverItIs) {
  const WordRange range{0x700000000000, 0x1000};
  for (const std::size_t bytes : {0, 7, 8, 9, 63, 64, 72, 128, 136, 1000, 1024, 1032, 1100, 5003}) {
    std::string data(bytes, '\x7f');
    EXPECT_FALSE(holds_word(data.data(), bytes, range)) << bytes;
    for (const std::size_t at :
         {std::size_t{0}, bytes / 16 * 8, bytes / 8 * 8 - 8, bytes / 8 * 8}) {
      if (at > bytes || bytes - at < 8) continue;
      for (const std::uint64_t word :
           {range.lowest - 1, range.lowest, range.lowest + range.span - 1,
            range.lowest + range.span, ~std::uint64_t{0}}) {
        std::string changed = data;
        changed.replace(at, 8, reinterpret_cast<const char*>(&word), 8);
        const bool inside = word - range.lowest < range.span;
        EXPECT_EQ(holds_word(changed.data(), bytes, range), inside) << bytes << ' ' << at;
        const SearchedContent both = content_hash_and_search(changed.data(), bytes, range);
        EXPECT_EQ(both.holds_word, inside) << bytes << ' ' << at;
        EXPECT_EQ(both.hash, content_hash(changed.data(), bytes)) << bytes;
      }
    }
  }
  EXPECT_FALSE(holds_word("12345678", 8, {}));
}

TEST(ContentHash, LeavesTheVectorRegistersUpperHalvesEmpty) {
  const WordRange range{0x700000000000, 0x1000};
  for (const std::size_t bytes : {8, 100, 200, 300, 5000}) {
    const std::string data(bytes, '\x7f');
    content_hash(data.data(), bytes);
    EXPECT_EQ(upper_half_in_use(), "") << bytes;
    holds_word(data.data(), bytes, range);
    EXPECT_EQ(upper_half_in_use(), "") << bytes;
    content_hash_and_search(data.data(), bytes, range);
    EXPECT_EQ(upper_half_in_use(), "") << bytes;
    content_sample(data.data(), bytes);
    EXPECT_EQ(upper_half_in_use(), "") << bytes;
  }
}

TEST(ContentHash, OfNothingIsDefined) { EXPECT_EQ(content_hash(nullptr, 0), content_hash("", 0)); }

}  // namespace
}  // namespace xfer::test
