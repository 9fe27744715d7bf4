// The generator's outputs as its authors give them (Random123's known answers).

#include "curand/philox.h"

#include <gtest/gtest.h>

namespace xfer::emulator {
namespace {

TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox(0, {0, 0, 0, 0}), (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox(0xffffffffffffffff, {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox(0x299f31d0a4093822, {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, PlacesHaveWordsOfTheirOwn) {
  PhiloxWords first(7, 1);
  PhiloxWords again(7, 1);
  PhiloxWords second(7, 2);
  for (int i = 0; i < 9; ++i) {
    const std::uint32_t word = first();
    EXPECT_EQ(word, again());
    EXPECT_NE(word, second());
  }
}

}  // namespace
}  // namespace xfer::emulator
