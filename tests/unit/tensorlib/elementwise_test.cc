// Every element-wise operation x element type x layout x device, against the C++ standard library
// in double.
#include <cmath>

#include "unit/tensorlib/layouts.h"
#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

struct Unary {
  const char* name;
  Tensor (*operation)(const Tensor&, CallSite);
  double (*reference)(double);
  bool integers;  // is defined on them as it is
  bool positive;  // is defined for positive numbers only
};

const Unary kUnary[] = {
    {"abs", abs, [](double x) { return std::fabs(x); }, true, false},
    {"neg", neg, [](double x) { return -x; }, true, false},
    {"sign", sign, [](double x) { return double((x > 0) - (x < 0)); }, true, false},
    {"square", square, [](double x) { return x * x; }, true, false},
    {"relu", relu, [](double x) { return x > 0 ? x : 0; }, true, false},
    {"exp", exp, [](double x) { return std::exp(x); }, false, false},
    {"log", log, [](double x) { return std::log(x); }, false, true},
    {"log1p", log1p, [](double x) { return std::log1p(x); }, false, true},
    {"sqrt", sqrt, [](double x) { return std::sqrt(x); }, false, true},
    {"rsqrt", rsqrt, [](double x) { return 1 / std::sqrt(x); }, false, true},
    {"reciprocal", reciprocal, [](double x) { return 1 / x; }, false, true},
    {"sin", sin, [](double x) { return std::sin(x); }, false, false},
    {"cos", cos, [](double x) { return std::cos(x); }, false, false},
    {"tanh", tanh, [](double x) { return std::tanh(x); }, false, false},
    {"sigmoid", sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }, false, false},
    {"floor", floor, [](double x) { return std::floor(x); }, true, false},
    {"ceil", ceil, [](double x) { return std::ceil(x); }, true, false},
    {"round", round, [](double x) { return std::nearbyint(x); }, true, false},
};

double add_reference(double a, double b) { return a + b; }

struct Binary {
  const char* name;
  Tensor (*operation)(const Tensor&, const Tensor&, CallSite);
  double (*reference)(double, double);
};

const Binary kBinary[] = {
    {"mul", mul, [](double a, double b) { return a * b; }},
    {"div", div, [](double a, double b) { return a / b; }},
    {"maximum", maximum, [](double a, double b) { return std::max(a, b); }},
    {"minimum", minimum, [](double a, double b) { return std::min(a, b); }},
    {"eq", eq, [](double a, double b) { return double(a == b); }},
    {"ne", ne, [](double a, double b) { return double(a != b); }},
    {"lt", lt, [](double a, double b) { return double(a < b); }},
    {"le", le, [](double a, double b) { return double(a <= b); }},
    {"gt", gt, [](double a, double b) { return double(a > b); }},
    {"ge", ge, [](double a, double b) { return double(a >= b); }},
    {"add", [](const Tensor& a, const Tensor& b, CallSite) { return a + b; }, add_reference},
    {"sub", [](const Tensor& a, const Tensor& b, CallSite) { return a - b; },
     [](double a, double b) { return a - b; }},
};

// [4, 6] numbers that every type holds exactly; positive where asked, and for bytes.
Tensor numbers(ScalarType type, bool positive) {
  Tensor t = arange(24, kDouble).view({4, 6});
  t = positive || type == kByte ? t / 4 + 1 : t / 4 - 3;
  return (isFloatingType(type) ? t : t.floor()).to(type);
}

TEST(Elementwise, UnaryOperationsMatchTheStandardLibrary) {
  for (const Device& device : devices()) {
    for (const Unary& op : kUnary) {
      for (ScalarType type : kNumberTypes) {
        const Tensor input = numbers(type, op.positive).to(device);
        const std::vector<double> in = elements(input);
        std::vector<double> expected;
        for (double x : in) expected.push_back(op.reference(x));
        for (const Layout& layout : layouts()) {
          SCOPED_TRACE(::testing::Message() << op.name << " of " << name_of(type) << ", "
                                            << layout.name << ", on " << device);
          const Tensor output = op.operation(layout.make(input), CallSite::current());
          const ScalarType result = isFloatingType(type) || op.integers ? type : kFloat;
          EXPECT_EQ(output.dtype(), result);
          EXPECT_EQ(output.device(), device);
          if (type == kByte && op.integers && std::string(op.name) == "neg") continue;  // wraps
          EXPECT_TRUE(near(elements(output), expected, tolerance(result)));
        }
      }
    }
  }
}

TEST(Elementwise, BinaryOperationsMatchTheStandardLibrary) {
  for (const Device& device : devices()) {
    for (const Binary& op : kBinary) {
      for (ScalarType type : kNumberTypes) {
        const Tensor a = numbers(type, false).to(device);
        const Tensor b = numbers(type, true).flatten().to(device).view({4, 6});
        const std::vector<double> x = elements(a), y = elements(b);
        std::vector<double> expected;
        for (size_t i = 0; i < x.size(); ++i) expected.push_back(op.reference(x[i], y[i]));
        for (const Layout& left : layouts()) {
          for (const Layout& right : layouts()) {
            SCOPED_TRACE(::testing::Message()
                         << op.name << " of " << name_of(type) << ", " << left.name << " and "
                         << right.name << ", on " << device);
            const Tensor output = op.operation(left.make(a), right.make(b), CallSite::current());
            if (type == kByte && (std::string(op.name) == "sub")) continue;  // wraps
            EXPECT_TRUE(near(elements(output), expected, tolerance(output.dtype())));
          }
        }
      }
    }
  }
}

TEST(Elementwise, ShapesBroadcast) {
  for (const Device& device : devices()) {
    const Tensor column = tensor({{10.}, {20.}}).to(device);
    const Tensor row = tensor({1., 2., 3.}).to(device);
    EXPECT_EQ(elements(column + row), (std::vector<double>{11, 12, 13, 21, 22, 23}));
    EXPECT_EQ(elements(row - column), (std::vector<double>{-9, -8, -7, -19, -18, -17}));
  }
  EXPECT_THROW((void)(ones({2, 3}) + ones({2, 2})), ShapeError);
}

TEST(Elementwise, NumbersTakeEitherSide) {
  for (const Device& device : devices()) {
    const Tensor x = tensor({1., 2., 4.}).to(device);
    EXPECT_EQ(elements(x + 1), (std::vector<double>{2, 3, 5}));
    EXPECT_EQ(elements(1 - x), (std::vector<double>{0, -1, -3}));
    EXPECT_EQ(elements(8 / x), (std::vector<double>{8, 4, 2}));
    EXPECT_EQ(elements(2.5 * x), (std::vector<double>{2.5, 5, 10}));
    EXPECT_EQ(elements(x.pow(2)), (std::vector<double>{1, 4, 16}));
    EXPECT_EQ(elements(x.t() > 1.5), (std::vector<double>{0, 1, 1}));
    EXPECT_EQ(elements(x.clamp(1.5, 3)), (std::vector<double>{1.5, 2, 3}));
  }
}

TEST(Elementwise, TypesPromoteAsInLibTorch) {
  EXPECT_EQ((ones({2}, kInt) + ones({2}, kFloat)).dtype(), kFloat);
  EXPECT_EQ((ones({2}, kInt) + ones({2}, kLong)).dtype(), kLong);
  EXPECT_EQ((ones({2}, kBool) + ones({2}, kByte)).dtype(), kByte);
  EXPECT_EQ((ones({2}, kInt) + 1.5).dtype(), kFloat);
  EXPECT_EQ((ones({2}, kHalf) + 1.5).dtype(), kHalf);
  EXPECT_EQ((ones({2}, kInt) / ones({2}, kInt)).dtype(), kFloat);
  // A tensor without dimensions counts as a number: it does not widen.
  EXPECT_EQ((ones({2}, kFloat) + ones({}, kDouble)).dtype(), kFloat);
  EXPECT_EQ((ones({2}, kInt) + ones({}, kDouble)).dtype(), kDouble);
  EXPECT_EQ((ones({}, kFloat) + ones({}, kDouble)).dtype(), kDouble);
}

TEST(Elementwise, InPlaceChangesThisTensorAndItsViews) {
  for (const Device& device : devices()) {
    Tensor x = arange(6, kFloat).view({2, 3}).to(device);
    const Tensor column = x.select(1, 1);
    x += 1;
    x *= x;
    EXPECT_EQ(elements(x), (std::vector<double>{1, 4, 9, 16, 25, 36}));
    EXPECT_EQ(elements(column), (std::vector<double>{4, 25}));
    column.sub_(ones({2}, device), 2).relu_();
    EXPECT_EQ(elements(x), (std::vector<double>{1, 2, 9, 16, 23, 36}));
  }
}

TEST(Elementwise, InPlaceWithAnOverlappingViewReadsTheOldElements) {
  Tensor x = arange(4, kFloat).view({2, 2});
  x += x.t();
  EXPECT_EQ(elements(x), (std::vector<double>{0, 3, 3, 6}));
}

TEST(Elementwise, InPlaceRefusesWhatDoesNotFit) {
  Tensor x = ones({2}, kInt);
  EXPECT_THROW(x += 1.5, DTypeMismatchError);
  EXPECT_THROW(x += ones({3, 2}, kInt), ShapeError);
}

TEST(Elementwise, ADifferenceOfTruthsIsRefused) {
  const Tensor truth = ones({2}, kBool);
  EXPECT_THROW((void)(truth - truth), DTypeMismatchError);
  EXPECT_THROW((void)(truth - true), DTypeMismatchError);
  EXPECT_THROW((void)truth.clone().sub_(truth), DTypeMismatchError);
  EXPECT_EQ((truth - ones({2}, kInt)).dtype(), kInt);
  EXPECT_EQ((truth + truth).dtype(), kBool);
}

TEST(Elementwise, NanIsKept) {
  for (const Device& device : devices()) {
    const Tensor x = tensor({-1., NAN, 2.}).to(device);
    EXPECT_TRUE(near(elements(x.relu()), {0, NAN, 2}, 0));
    EXPECT_TRUE(near(elements(x.clamp(0, 1)), {0, NAN, 1}, 0));
    EXPECT_TRUE(near(elements(maximum(x, zeros_like(x))), {0, NAN, 2}, 0));
  }
}

TEST(Elementwise, IntegersWrapAround) {
  for (const Device& device : devices()) {
    const Tensor x = full({1}, 2147483647, kInt).to(device);
    EXPECT_EQ((x + 1).item<int>(), -2147483647 - 1);
    EXPECT_EQ((full({1}, 1, kByte).to(device) - 2).item<int>(), 255);
    EXPECT_EQ(full({1}, 3, kLong).to(device).pow(4).item<int64_t>(), 81);
    EXPECT_EQ((full({1}, 127, kChar).to(device) + 1).item<int>(), -128);
    EXPECT_EQ((full({1}, -128, kChar).to(device)).abs().item<int>(), -128);
    EXPECT_EQ((full({1}, 300, kShort).to(device)).square().item<int>(), 90000 - 65536);
    EXPECT_EQ((full({1}, -300, kShort).to(device)).pow(3).item<int>(), -27000000 + 412 * 65536);
  }
}

TEST(Elementwise, EmptyTensorsAreFine) {
  for (const Device& device : devices()) {
    const Tensor none = empty({0, 3}, device);
    EXPECT_EQ((none + 1).sizes(), none.sizes());
    EXPECT_EQ((none * ones({3}, device)).numel(), 0);
  }
}

TEST(Elementwise, DropoutKeepsTheExpectedShare) {
  for (const Device& device : devices()) {
    manual_seed(7);
    const Tensor x = ones({10000}, device);
    const Tensor y = dropout(x, 0.25, true);
    for (double value : elements(y)) EXPECT_TRUE(value == 0 || std::fabs(value - 4. / 3) < 1e-6);
    EXPECT_NEAR(y.mean().item<double>(), 1, 0.03);
    EXPECT_TRUE(dropout(x, 0.25, false).is_same(x));
  }
  EXPECT_THROW((void)dropout(ones({1}), 1.5, true), Error);
}

}  // namespace
}  // namespace tensorlib::testing
