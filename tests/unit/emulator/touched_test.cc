#include "machine/touched.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace xfer::emulator {
namespace {

using Kind = std::pair<bool, bool>;  // reads, writes
using Bytes = std::map<std::uintptr_t, Kind>;

Bytes bytes_of(const std::vector<Touched>& ranges) {
  Bytes bytes;
  for (const Touched& range : ranges)
    for (std::uintptr_t at = range.begin; at < range.end; ++at)
      if (range.width == 0 || (at - range.begin) % range.pitch < range.width) {
        EXPECT_EQ(bytes.count(at), 0U) << "told twice";
        bytes[at] = {range.reads, range.writes};
      }
  return bytes;
}

/// Groups of pieces that come again, some more often than others, and then something else.
std::vector<Touched> some_pieces(std::mt19937_64& random) {
  std::vector<Touched> pieces;
  std::uintptr_t at = random() % 8;
  for (auto groups = 1 + random() % 4; groups != 0; --groups) {
    std::vector<Touched> group;
    std::uintptr_t pitch = 0;
    for (auto count = 1 + random() % 4; count != 0; --count) {
      const std::uintptr_t begin = pitch + random() % 3;
      pitch = begin + 1 + random() % 8;
      const bool writes = random() % 2 == 0;
      group.push_back({begin, pitch, !writes || random() % 2 == 0, writes, true});
    }
    pitch += random() % 5;
    for (auto rows = random() % 100; rows != 0; --rows, at += pitch)
      for (Touched piece : group) {
        piece.begin += at;
        piece.end += at;
        pieces.push_back(piece);
      }
  }
  return pieces;
}

TEST(TouchedPieces, TellEachByteOrThatTheyDoNot) {
  std::mt19937_64 random(7);
  int exact = 0;
  for (int round = 0; round < 500; ++round) {
    const std::vector<Touched> pieces = some_pieces(random);
    std::vector<Touched> all;
    {
      TouchedPieces told(all);
      for (const Touched& piece : pieces)
        told.add(piece.begin, piece.end, piece.reads, piece.writes);
    }
    ASSERT_LE(all.size(), 64U);
    if (pieces.empty()) continue;
    if (!all.front().every_byte) {
      ASSERT_EQ(all.size(), 1U);
      EXPECT_EQ(all.front().begin, pieces.front().begin);
      EXPECT_EQ(all.front().end, pieces.back().end);
      continue;
    }
    ++exact;
    ASSERT_EQ(bytes_of(all), bytes_of(pieces)) << "round " << round;
  }
  EXPECT_GT(exact, 450);
}

}  // namespace
}  // namespace xfer::emulator
