#include "analyzer/facts/polynomial.h"

#include <gtest/gtest.h>

#include <limits>

namespace xfer::analyzer {
namespace {

constexpr std::uint32_t kN = 0, kM = 1;

Polynomial number(std::int64_t value) { return Polynomial::constant(value); }

TEST(Polynomial, ProductsAreOneInWhateverOrder) {
  const auto nm = Polynomial::of(kN).times(Polynomial::of(kM));
  const auto mn = Polynomial::of(kM).times(Polynomial::of(kN));
  ASSERT_TRUE(nm && mn);
  EXPECT_EQ(*nm, *mn);
  EXPECT_NE(*nm, Polynomial::of(kN));
}

TEST(Polynomial, SumsCancel) {
  const auto more = Polynomial::of(kN).plus(number(1))->times(number(4));
  const auto difference = more->minus(*Polynomial::of(kN).times(number(4)));
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->as_constant(), 4);
  EXPECT_EQ(more->minus(*more)->as_constant(), 0);
  EXPECT_FALSE(more->as_constant());
}

TEST(Polynomial, PositiveWhateverIsCounted) {
  const Polynomial n = Polynomial::of(kN);
  EXPECT_TRUE(n.plus(number(1))->is_positive());
  EXPECT_FALSE(n.minus(number(1))->is_positive());
  EXPECT_FALSE(n.minus(Polynomial::of(kM))->is_positive());
  EXPECT_FALSE(Polynomial().is_positive());
}

TEST(Polynomial, TooLargeIsNotKnown) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  EXPECT_FALSE(number(kLargest).plus(number(1)));
  EXPECT_FALSE(number(kLargest).times(number(2)));
  std::optional<Polynomial> power = Polynomial::of(kN);
  for (int i = 0; i < 20 && power; ++i) power = power->times(Polynomial::of(kN));
  EXPECT_FALSE(power);
}

}  // namespace
}  // namespace xfer::analyzer
