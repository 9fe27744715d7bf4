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
  EXPECT_EQ(promoteTypes(kChar, kShort), kShort);
  EXPECT_EQ(promoteTypes(kLong, kBFloat16), kBFloat16);
  EXPECT_EQ(promoteTypes(kBFloat16, kFloat), kFloat);
  // Neither holds the other's numbers.
  EXPECT_EQ(promoteTypes(kByte, kChar), kShort);
  EXPECT_EQ(promoteTypes(kChar, kByte), kShort);
  EXPECT_EQ(promoteTypes(kHalf, kBFloat16), kFloat);
}

TEST(ScalarType, SizesAndNames) {
  EXPECT_EQ(elementSize(kHalf), 2u);
  EXPECT_EQ(elementSize(kBool), 1u);
  EXPECT_STREQ(name_of(kLong), "int64");
  EXPECT_STREQ(toString(kLong), "Long");
  EXPECT_EQ(elementSize(kBFloat16), 2u);
  EXPECT_EQ(elementSize(kInt16), 2u);
  EXPECT_EQ(elementSize(kInt8), 1u);
  EXPECT_STREQ(name_of(kBFloat16), "bfloat16");
  EXPECT_STREQ(toString(kChar), "Char");
  EXPECT_EQ(ones({1}, kShort).toString(), "CPUShortType");
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

TEST(BFloat16, EveryValueSurvivesTheWayThroughFloat) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    BFloat16 number;
    number.bits = static_cast<uint16_t>(bits);
    const float value = number;
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(value))));
    } else {
      EXPECT_EQ(BFloat16(value).bits, bits) << value;
    }
  }
}

TEST(BFloat16, RoundsToTheNearestAndTiesToEven) {
  // Every midpoint of neighbouring finite numbers, and the floats beside it.
  for (int bits = 0; bits < 0x7f7f; ++bits) {
    BFloat16 low, high;
    low.bits = static_cast<uint16_t>(bits);
    high.bits = static_cast<uint16_t>(bits + 1);
    const float middle = static_cast<float>(low) / 2 + static_cast<float>(high) / 2;
    EXPECT_EQ(BFloat16(middle).bits, bits % 2 == 0 ? bits : bits + 1);
    EXPECT_EQ(BFloat16(std::nextafter(middle, 0.f)).bits, bits);
    EXPECT_EQ(BFloat16(std::nextafter(middle, INFINITY)).bits, bits + 1);
  }
  EXPECT_TRUE(std::isinf(static_cast<float>(BFloat16(3.4e38f))));
  EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(NAN))));
}

TEST(Convert, EveryPairOfTypesConvertsExactSmallNumbers) {
  for (const Device& device : devices()) {
    for (ScalarType from : kAllTypes) {
      for (ScalarType to : kAllTypes) {
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
    EXPECT_EQ(elements(x.to(kChar)), (std::vector<double>{-128, 127, 0, 127}));
    EXPECT_EQ(elements(x.to(kShort)), (std::vector<double>{-32768, 32767, 0, 300}));
    EXPECT_EQ(elements(x.to(kInt)), (std::vector<double>{-2147483648., 2147483647., 0, 300}));
    EXPECT_EQ(x.to(kLong)[1].item<int64_t>(), std::numeric_limits<int64_t>::max());
  }
}

}  // namespace
}  // namespace tensorlib::testing
