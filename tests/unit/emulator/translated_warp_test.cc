// Operations that the lanes of a warp do together.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "unit/emulator/translated.h"

namespace xfer::emulator::grid {
namespace {

using kernels::Reduce;
using kernels::Shuffle;
using kernels::Thread;
using kernels::Vote;
using Words = std::vector<std::uint32_t>;

struct ShuffleCase {
  Shuffle how;
  std::uint32_t mask;
  Words lanes;  // of each lane
  std::uint32_t clamp;
  Words got;
  Words in_range;
};

void shuffled(Thread* t) {
  ShuffleCase& c = *parameters_of<ShuffleCase*>(t);
  if ((c.mask >> t->number & 1) == 0) return;
  c.got[t->number] = ask(t).shuffle(t, c.mask, c.how, 100 + t->number, c.lanes[t->number], c.clamp,
                                    &c.in_range[t->number]);
}

/// From "shfl.sync" in the PTX ISA, line by line.
void expect_as_isa(const ShuffleCase& c) {
  for (int lane = 0; lane < 32; ++lane) {
    const auto at = static_cast<std::size_t>(lane);
    if ((c.mask >> lane & 1) == 0) continue;
    const int bval = static_cast<int>(c.lanes[at] & 0x1f);
    const int cval = static_cast<int>(c.clamp & 0x1f);
    const int segmask = static_cast<int>(c.clamp >> 8 & 0x1f);
    const int maxLane = (lane & segmask) | (cval & ~segmask);
    const int minLane = lane & segmask;
    int j = 0;
    bool pval = false;
    switch (c.how) {
      case Shuffle::kUp:
        j = lane - bval;
        pval = j >= maxLane;
        break;
      case Shuffle::kDown:
        j = lane + bval;
        pval = j <= maxLane;
        break;
      case Shuffle::kButterfly:
        j = lane ^ bval;
        pval = j <= maxLane;
        break;
      case Shuffle::kIndex:
        j = minLane | (bval & ~segmask);
        pval = j <= maxLane;
        break;
    }
    if (!pval) j = lane;
    const bool source_came = (c.mask >> j & 1) != 0;
    EXPECT_EQ(c.got[at], 100U + static_cast<unsigned>(source_came ? j : lane)) << lane;
    EXPECT_EQ(c.in_range[at], pval ? 1U : 0U) << lane;
  }
}

TEST(TranslatedWarp, ShufflesAreThoseOfTheIsa) {
  std::mt19937 random(1);
  for (const Shuffle how : {Shuffle::kUp, Shuffle::kDown, Shuffle::kButterfly, Shuffle::kIndex})
    for (const std::uint32_t width : {32U, 16U, 8U, 4U, 2U, 1U})
      for (int round = 0; round < 8; ++round) {
        // As __shfl_sync and its kin are compiled, and some that no compiler makes.
        std::uint32_t clamp = (32 - width) << 8 | (how == Shuffle::kUp ? 0 : 31);
        if (round >= 6) clamp = static_cast<std::uint32_t>(random()) & 0x1f1f;
        ShuffleCase c{
            how,       round % 2 == 0 ? kAllLanes : static_cast<std::uint32_t>(random()) | 1,
            Words(32), clamp,
            Words(32), Words(32)};
        for (auto& lane : c.lanes) lane = static_cast<std::uint32_t>(random()) & 63;
        EXPECT_EQ(launch(&shuffled, {.block = 32}, &c), "");
        expect_as_isa(c);
      }
}

struct Results {
  Words words = Words(64);
};

TEST(TranslatedWarp, Votes) {
  Results r;
  const auto kernel = [](Thread* t) {
    Words& out = parameters_of<Results*>(t)->words;
    const std::uint32_t odd = t->number % 2;
    std::uint32_t all = 0;
    all |= ask(t).vote(t, kAllLanes, Vote::kBallot, odd * 5) == 0xaaaaaaaa ? 1 : 0;
    all |= ask(t).vote(t, kAllLanes, Vote::kAny, t->number == 9 ? 1 : 0) << 1;
    all |= ask(t).vote(t, kAllLanes, Vote::kAny, 0) << 2;
    all |= ask(t).vote(t, kAllLanes, Vote::kAll, t->number < 32 ? 1 : 0) << 3;
    all |= ask(t).vote(t, kAllLanes, Vote::kAll, odd) << 4;
    all |= ask(t).vote(t, kAllLanes, Vote::kUniform, 0) << 5;
    all |= ask(t).vote(t, kAllLanes, Vote::kUniform, odd) << 6;
    // Each half by itself.
    const std::uint32_t mask = odd != 0 ? 0xaaaaaaaa : 0x55555555;
    all |= ask(t).vote(t, mask, Vote::kAll, odd) << 7;
    out[t->number] = all;
  };
  EXPECT_EQ(launch(kernel, {.block = 32}, &r), "");
  for (std::size_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(r.words[lane], 0b00101011U | (lane % 2 << 7)) << lane;
}

TEST(TranslatedWarp, Matches) {
  Results r;
  const auto kernel = [](Thread* t) {
    Words& out = parameters_of<Results*>(t)->words;
    const std::uint64_t high = std::uint64_t{t->number % 4} << 40;
    out[t->number] = ask(t).match(t, kAllLanes, high, 0, nullptr);
    std::uint32_t equal = 7;
    const std::uint32_t none = ask(t).match(t, kAllLanes, high, 1, &equal);
    if (none != 0 || equal != 0) out[32] = 1;
    const std::uint32_t all = ask(t).match(t, kAllLanes, 3, 1, &equal);
    if (all != kAllLanes || equal != 1) out[32] = 2;
  };
  EXPECT_EQ(launch(kernel, {.block = 32}, &r), "");
  for (std::size_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(r.words[lane], 0x11111111U << lane % 4) << lane;
  EXPECT_EQ(r.words[32], 0U);
}

TEST(TranslatedWarp, Reductions) {
  struct Case {
    Reduce how;
    std::uint32_t got = 0;
    int lanes = 0;
  };
  const auto kernel = [](Thread* t) {
    Case& c = *parameters_of<Case*>(t);
    if (t->number % 2 == 0) return;
    const auto value = static_cast<std::uint32_t>(static_cast<int>(t->number) - 9);
    const std::uint32_t result = ask(t).reduce(t, 0xaaaaaaaa, c.how, value);
    if (c.lanes++ != 0) {
      EXPECT_EQ(result, c.got);
    }
    c.got = result;
  };
  const std::map<Reduce, std::uint32_t> expected = {
      {Reduce::kAdd, 112},        {Reduce::kMin, 0},
      {Reduce::kMax, 0xfffffffe}, {Reduce::kMinSigned, 0xfffffff8},
      {Reduce::kMaxSigned, 22},   {Reduce::kAnd, 0},
      {Reduce::kOr, 0xfffffffe},  {Reduce::kXor, 0}};
  for (const auto& [how, result] : expected) {
    Case c{how};
    EXPECT_EQ(launch(kernel, {.block = 32}, &c), "");
    EXPECT_EQ(c.got, result) << static_cast<int>(how);
    EXPECT_EQ(c.lanes, 16);
  }
}

TEST(TranslatedWarp, ActiveLanesAreThoseAtTheSamePlace) {
  Results r;
  const auto kernel = [](Thread* t) {
    Words& out = parameters_of<Results*>(t)->words;
    if (t->number >= 20) {
      ask(t).barrier(t, 0, 0);
      out[t->number] = ask(t).active_mask(t, 1);
    } else if (t->number % 2 == 0) {
      out[t->number] = ask(t).active_mask(t, 2);
      ask(t).barrier(t, 0, 0);
    } else {
      out[t->number] = ask(t).active_mask(t, 3);
      ask(t).barrier(t, 0, 0);
    }
  };
  EXPECT_EQ(launch(kernel, {.block = 40}, &r), "");
  EXPECT_EQ(r.words[0], 0x00055555U);
  EXPECT_EQ(r.words[1], 0x000aaaaaU);
  EXPECT_EQ(r.words[31], 0xfff00000U);
  EXPECT_EQ(r.words[32], 0x000000ffU);
}

TEST(TranslatedWarp, ExchangedValuesStayUntilTheNextWait) {
  Results r;
  const auto kernel = [](Thread* t) {
    Words& out = parameters_of<Results*>(t)->words;
    const std::uint32_t mine[4] = {t->number, 1, 2, t->number * t->number};
    std::byte bytes[16];
    std::memcpy(bytes, mine, sizeof(bytes));
    for (int round = 0; round < 3; ++round) {
      const std::byte* const all = ask(t).exchange(t, kAllLanes, bytes, 16);
      for (unsigned lane = 0; lane < 32; ++lane) {
        std::uint32_t theirs[4];
        std::memcpy(theirs, all + lane * 16, sizeof(theirs));
        if (theirs[0] != lane || theirs[3] != lane * lane) ++out[40];
      }
    }
    ++out[41];
  };
  EXPECT_EQ(launch(kernel, {.block = 32}, &r), "");
  EXPECT_EQ(r.words[40], 0U);
  EXPECT_EQ(r.words[41], 32U);
}

TEST(TranslatedWarp, LanesThatReturnAreNotWaitedFor) {
  Results r;
  const auto kernel = [](Thread* t) {
    if (t->number == 31 || t->number == 4) return;
    parameters_of<Results*>(t)->words[t->number] = ask(t).vote(t, kAllLanes, Vote::kBallot, 1);
  };
  EXPECT_EQ(launch(kernel, {.block = 32}, &r), "");
  EXPECT_EQ(r.words[0], 0x7fffffefU);
  EXPECT_EQ(r.words[30], 0x7fffffefU);
}

// What CUDA forbids and code does: half of those that the mask names wait elsewhere.
TEST(TranslatedWarp, LanesThatWaitElsewhereDoNotHoldUpTheOthers) {
  Results r;
  const auto kernel = [](Thread* t) {
    Words& out = parameters_of<Results*>(t)->words;
    if (t->number < 16)
      out[t->number] = ask(t).shuffle(t, kAllLanes, Shuffle::kDown, t->number, 8, 31, nullptr);
    ask(t).barrier(t, 0, 0);
  };
  EXPECT_EQ(launch(kernel, {.block = 64}, &r), "");
  EXPECT_EQ(r.words[3], 11U);
  EXPECT_EQ(r.words[12], 12U);
}

// A sum over each warp, again and again: nobody overtakes.
TEST(TranslatedWarp, ManyRounds) {
  Results r;
  const auto kernel = [](Thread* t) {
    std::uint32_t value = t->number;
    for (int round = 0; round < 100; ++round) {
      for (std::uint32_t distance = 16; distance != 0; distance /= 2)
        value += ask(t).shuffle(t, kAllLanes, Shuffle::kButterfly, value, distance, 31, nullptr);
      value %= 1009;
    }
    parameters_of<Results*>(t)->words[t->number] = value;
  };
  EXPECT_EQ(launch(kernel, {.block = 64}, &r), "");
  for (std::uint32_t warp = 0; warp < 2; ++warp) {
    std::uint32_t sum = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane) sum += warp * 32 + lane;
    std::uint32_t expected = sum % 1009;
    for (int round = 1; round < 100; ++round) expected = expected * 32 % 1009;
    EXPECT_EQ(r.words[warp * 32], expected);
    EXPECT_EQ(r.words[warp * 32 + 31], expected);
  }
}

}  // namespace
}  // namespace xfer::emulator::grid
