#include <cmath>
#include <limits>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

TEST(ScalarType, PromotionTakesTheHigherCategoryAndThenTheWiderType) {
  EXPECT_EQ(promoteTypes(kBool, kByte), kByte);
  EXPECT_EQ(promoteTypes(kLong, kHalf), kHalf);
  EXPECT_EQ(promoteTypes(kFloat, kDouble), kDouble);
  EXPECT_EQ(promoteTypes(kByte, kInt), kInt);
}

TEST(ScalarType, SizesAndNames) {
  EXPECT_EQ(elementSize(kHalf), 2u);
  EXPECT_EQ(elementSize(kBool), 1u);
  EXPECT_STREQ(name_of(kLong), "int64");
  EXPECT_STREQ(toString(kLong), "Long");
}

TEST(Half, EveryValueSurvivesTheWayThroughFloat) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    Half half;
    half.bits = static_cast<uint16_t>(bits);
    const float value = half;
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(Half(value))));
    } else {
      EXPECT_EQ(Half(value).bits, bits) << value;
    }
  }
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  // Every midpoint of neighbouring finite halves, and the floats beside it.
  for (int bits = 0; bits < 0x7bff; ++bits) {
    Half low, high;
    low.bits = static_cast<uint16_t>(bits);
    high.bits = static_cast<uint16_t>(bits + 1);
    const float middle = (static_cast<float>(low) + static_cast<float>(high)) / 2;
    EXPECT_EQ(Half(middle).bits, bits % 2 == 0 ? bits : bits + 1);
    EXPECT_EQ(Half(std::nextafter(middle, 0.f)).bits, bits);
    EXPECT_EQ(Half(std::nextafter(middle, 1e9f)).bits, bits + 1);
  }
  EXPECT_EQ(static_cast<float>(Half(65519.f)), 65504);
  EXPECT_TRUE(std::isinf(static_cast<float>(Half(65520.f))));
}

TEST(Convert, EveryPairOfTypesConvertsExactSmallNumbers) {
  constexpr ScalarType kAll[] = {kByte, kInt, kLong, kHalf, kFloat, kDouble, kBool};
  for (const Device& device : devices()) {
    for (ScalarType from : kAll) {
      for (ScalarType to : kAll) {
        SCOPED_TRACE(::testing::Message()
                     << name_of(from) << " to " << name_of(to) << " on " << device);
        const Tensor input = tensor({0, 1, 2, 100}).to(from).to(device);
        std::vector<double> expected = elements(input);
        if (to == kBool) {
          for (double& x : expected) x = x != 0;
        }
        EXPECT_EQ(elements(input.to(to)), expected);
        EXPECT_EQ(elements(input.view({2, 2}).t().to(to)),
                  (std::vector<double>{expected[0], expected[2], expected[1], expected[3]}));
      }
    }
  }
}

TEST(Convert, NumbersOutOfRangeBecomeTheNearestOne) {
  for (const Device& device : devices()) {
    const Tensor x = tensor({-1e20, 1e20, double(NAN), 300.7}, kDouble).to(device);
    EXPECT_EQ(elements(x.to(kByte)), (std::vector<double>{0, 255, 0, 255}));
    EXPECT_EQ(elements(x.to(kInt)), (std::vector<double>{-2147483648., 2147483647., 0, 300}));
    EXPECT_EQ(x.to(kLong)[1].item<int64_t>(), std::numeric_limits<int64_t>::max());
  }
}

}  // namespace
}  // namespace tensorlib::testing
