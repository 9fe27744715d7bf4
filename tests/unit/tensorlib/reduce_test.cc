// Reductions over every set of dimensions, layout and device, against loops over the elements.
#include <cmath>
#include <limits>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

// [2, 3, 4] numbers without order.
Tensor numbers(ScalarType type) {
  return ((arange(24, kLong) * 7).sub(5) - (arange(24, kLong) * 7 / 11).to(kLong) * 11)
      .view({2, 3, 4})
      .to(type);
}

struct Reduction {
  const char* name;
  Tensor (*operation)(const Tensor&, IntArrayRef, bool, CallSite);
  double start;
  double (*combine)(double, double);
  bool average;
};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const Reduction kReductions[] = {
    {"sum", sum, 0, [](double a, double b) { return a + b; }, false},
    {"mean", mean, 0, [](double a, double b) { return a + b; }, true},
    {"amax", amax, -kInfinity, [](double a, double b) { return std::max(a, b); }, false},
    {"amin", amin, kInfinity, [](double a, double b) { return std::min(a, b); }, false},
};

std::vector<double> reference(const Reduction& op, const Tensor& x, unsigned dims) {
  const int64_t n[3] = {x.size(0), x.size(1), x.size(2)};
  int64_t out[3], count = 1, reduced = 1;
  for (int d = 0; d < 3; ++d) {
    out[d] = dims >> d & 1 ? 1 : n[d];
    count *= out[d];
    reduced *= n[d] / out[d];
  }
  std::vector<double> result(static_cast<size_t>(count), op.start);
  const std::vector<double> in = elements(x);
  size_t at = 0;
  for (int64_t i = 0; i < n[0]; ++i) {
    for (int64_t j = 0; j < n[1]; ++j) {
      for (int64_t k = 0; k < n[2]; ++k) {
        double& cell =
            result[static_cast<size_t>((i % out[0] * out[1] + j % out[1]) * out[2] + k % out[2])];
        cell = op.combine(cell, in[at++]);
      }
    }
  }
  if (op.average) {
    for (double& cell : result) cell /= static_cast<double>(reduced);
  }
  return result;
}

TEST(Reduce, EverySetOfDimensions) {
  for (const Device& device : devices()) {
    for (const Reduction& op : kReductions) {
      for (ScalarType type : kNumberTypes) {
        if (type == kByte) continue;  // has none of the negative numbers
        if (op.average && !isFloatingType(type)) continue;
        const Tensor x = numbers(type).to(device);
        for (const Tensor& input : {x, x.permute({1, 2, 0}).contiguous().permute({2, 0, 1})}) {
          for (unsigned dims = 1; dims < 8; ++dims) {
            std::vector<int64_t> list;
            for (int d = 0; d < 3; ++d) {
              if (dims >> d & 1) list.push_back(d - (d == 2 ? 3 : 0));
            }
            SCOPED_TRACE(::testing::Message() << op.name << " of " << name_of(type) << " over "
                                              << IntArrayRef(list) << " on " << device);
            const Tensor kept = op.operation(input, list, true, CallSite::current());
            EXPECT_EQ(kept.dim(), 3);
            EXPECT_TRUE(near(elements(kept), reference(op, x, dims), tolerance(type)));
            const Tensor output = op.operation(input, list, false, CallSite::current());
            EXPECT_EQ(output.dim(), 3 - static_cast<int64_t>(list.size()));
            EXPECT_EQ(elements(output), elements(kept));
          }
        }
      }
    }
  }
}

TEST(Reduce, LongRowsAddUpExactly) {
  for (const Device& device : devices()) {
    const Tensor x = ones({300000}, device);
    EXPECT_EQ(x.sum().item<float>(), 300000);
    EXPECT_EQ(x.mean().item<float>(), 1);
    const Tensor y = arange(100000, kLong).to(device);
    EXPECT_EQ(y.sum().item<int64_t>(), int64_t{99999} * 50000);
    EXPECT_EQ(y.max().item<int64_t>(), 99999);
    EXPECT_EQ(full({70000}, 1.0, kHalf).to(device).mean().item<float>(), 1);
  }
}

// Few and many columns, short and long, with a last block that is not full: a device deals each of
// these out in another way.
TEST(Reduce, Columns) {
  struct {
    int64_t outer, n, inner;
  } const shapes[] = {{1, 1, 40},    {3, 5, 32},    {2, 64, 33},     {1, 700, 300},
                      {1, 9000, 32}, {1, 3, 17000}, {1, 520, 16400}, {5, 33, 31}};
  for (const Device& device : devices()) {
    for (const auto& [outer, n, inner] : shapes) {
      const Tensor x = (arange(outer * n * inner, kLong) * 7919 % 101 - 50).view({outer, n, inner});
      for (const Reduction& op : kReductions) {
        SCOPED_TRACE(::testing::Message() << op.name << " of " << x.sizes() << " on " << device);
        const std::vector<double> expected = reference(op, x, 2);
        for (ScalarType type : {kFloat, kHalf}) {
          const Tensor given = x.to(type).to(device);
          const Tensor output = op.operation(given, 1, false, CallSite::current());
          EXPECT_TRUE(near(elements(output), expected, tolerance(type)));
        }
        if (op.average) continue;
        const Tensor given = x.to(device);
        EXPECT_EQ(elements(op.operation(given, 1, false, CallSite::current())), expected);
      }
    }
    Tensor x = zeros({9, 70});
    x.index_put_({4, 69}, std::numeric_limits<double>::quiet_NaN());
    const Tensor largest = x.to(device).amax(0);
    EXPECT_EQ(largest[68].item<float>(), 0);
    EXPECT_TRUE(std::isnan(largest[69].item<float>()));
  }
}

TEST(Prod, OfEveryTypeAndLength) {
  for (const Device& device : devices()) {
    for (ScalarType type : kNumberTypes) {
      const Tensor x = tensor({{1, 2, 3, 1, 5}, {2, 1, 0, 4, 1}}).to(device, type);
      const ScalarType result = isFloatingType(type) ? type : kLong;
      EXPECT_EQ(elements(x.prod(1)), (std::vector<double>{30, 0})) << name_of(type);
      EXPECT_EQ(elements(x.prod(0)), (std::vector<double>{2, 2, 0, 4, 5})) << name_of(type);
      EXPECT_EQ(x.prod(-1, true).sizes(), std::vector<int64_t>({2, 1}));
      EXPECT_EQ(x.prod().dtype(), result);
      EXPECT_EQ(x.prod(0, false, kDouble).dtype(), kDouble);
      EXPECT_EQ(prod(x).item<double>(), 0);
      EXPECT_EQ(elements(x.slice(1, 0, 0).prod(1)), (std::vector<double>{1, 1}));
    }
    EXPECT_EQ((ones({2, 3}, device) > 0).prod().item<int64_t>(), 1);
    EXPECT_EQ(full({}, 3, device).prod(0).item<float>(), 3);
    EXPECT_EQ(ones({0}, device).prod().item<float>(), 1);
    EXPECT_THROW((void)ones({2}).prod(1), IndexError);
  }
}

TEST(Reduce, SumsOfSmallTypesAreWide) {
  for (const Device& device : devices()) {
    const Tensor x = full({1000}, 200, kByte).to(device);
    EXPECT_EQ(x.sum().dtype(), kLong);
    EXPECT_EQ(x.sum().item<int64_t>(), 200000);
    EXPECT_EQ((x > 100).sum().item<int64_t>(), 1000);
    EXPECT_EQ(x.max().dtype(), kByte);
  }
}

// Seen by UndefinedBehaviorSanitizer alone: the numbers are right without.
TEST(Reduce, IntegerSumsWrapAround) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  for (const Device& device : devices()) {
    const Tensor x = full({40, 2}, kMost, kLong).to(device);  // 40 times the most is -40
    EXPECT_EQ(x.sum(0).cpu()[1].item<int64_t>(), -40) << device;
    EXPECT_EQ(x.t().contiguous().sum(1).cpu()[1].item<int64_t>(), -40) << device;
    EXPECT_EQ(x.cumsum(0).cpu()[39][0].item<int64_t>(), -40) << device;
    const Tensor places = zeros({40}, kLong).to(device);
    EXPECT_EQ(ones({1, 2}, TensorOptions(kLong).device(device))
                  .index_add_(0, places, x)
                  .cpu()[0][1]
                  .item<int64_t>(),
              -39)
        << device;
    EXPECT_EQ(ones({1, 2}, TensorOptions(kLong).device(device))
                  .scatter_add_(0, zeros({40, 2}, kLong).to(device), x)
                  .cpu()[0][1]
                  .item<int64_t>(),
              -39)
        << device;
    EXPECT_EQ(tensor({kMost, int64_t{1}}).to(device).sum().item<int64_t>(), kLeast) << device;
  }
}

TEST(Reduce, ArgmaxIsTheFirstOfTheLargest) {
  for (const Device& device : devices()) {
    const Tensor x = tensor({{1., 5., 5.}, {7., 0., 7.}}).to(device);
    EXPECT_EQ(elements(x.argmax(1)), (std::vector<double>{1, 0}));
    EXPECT_EQ(elements(x.argmin(0)), (std::vector<double>{0, 1, 0}));
    EXPECT_EQ(x.argmax().item<int64_t>(), 3);
    const auto [values, indices] = x.max(-1, true);
    EXPECT_EQ(elements(values), (std::vector<double>{5, 7}));
    EXPECT_EQ(values.sizes(), std::vector<int64_t>({2, 1}));
    const auto least = x.min(0);
    EXPECT_EQ(elements(std::get<0>(least)), (std::vector<double>{1, 0, 5}));
  }
}

TEST(Reduce, NanWins) {
  for (const Device& device : devices()) {
    const Tensor x = tensor({1., double(NAN), 3.}).to(device);
    EXPECT_TRUE(std::isnan(x.max().item<double>()));
    EXPECT_TRUE(std::isnan(x.min().item<double>()));
    EXPECT_EQ(x.argmax().item<int64_t>(), 1);
  }
}

TEST(Reduce, OfNothing) {
  for (const Device& device : devices()) {
    const Tensor none = empty({0, 3}, device);
    EXPECT_EQ(none.sum().item<float>(), 0);
    EXPECT_TRUE(std::isnan(none.mean().item<float>()));
    EXPECT_EQ(elements(none.sum(0)), (std::vector<double>{0, 0, 0}));
    EXPECT_EQ(none.sum(1).numel(), 0);
    EXPECT_THROW((void)none.max(), ShapeError);
    EXPECT_THROW((void)none.argmax(0), ShapeError);
  }
}

TEST(Reduce, BadDimensionsAreErrors) {
  EXPECT_THROW((void)ones({2}).sum(1), IndexError);
  EXPECT_THROW((void)ones({2, 2}).sum(IntArrayRef({0, -2})), IndexError);
  EXPECT_THROW((void)ones({2}, kInt).mean(), DTypeMismatchError);
}

TEST(Softmax, RowsAddUpToOneAlongAnyDimension) {
  for (const Device& device : devices()) {
    for (ScalarType type : {kHalf, kFloat, kDouble}) {
      const Tensor x = numbers(type).to(device);
      for (int64_t dim = 0; dim < 3; ++dim) {
        const Tensor y = x.softmax(dim);
        const Tensor exponents = x.to(kDouble).exp();
        const Tensor expected = exponents / exponents.sum(dim, true);
        EXPECT_TRUE(near(elements(y), elements(expected), tolerance(type)));
        EXPECT_TRUE(
            near(elements(x.log_softmax(dim)), elements(expected.log()), 2 * tolerance(type)));
      }
    }
    const Tensor large = tensor({1000., 1000.}).to(device);
    EXPECT_EQ(elements(large.softmax(0)), (std::vector<double>{0.5, 0.5}));
  }
}

TEST(Equal, ComparesShapesAndElements) {
  for (const Device& device : devices()) {
    const Tensor x = arange(3, kFloat).to(device);
    EXPECT_TRUE(x.equal(x.clone()));
    EXPECT_FALSE(x.equal(x + 1));
    EXPECT_FALSE(x.equal(x.view({3, 1})));
    EXPECT_TRUE(x.allclose(x + 1e-9));
    EXPECT_FALSE(x.allclose(x + 1e-3));
  }
}

// A row without gaps is worked on in pieces; a column is not.
TEST(Softmax, RowsOfAnyLengthAgreeWithColumns) {
  for (const int64_t n : {1, 15, 16, 511, 512, 513, 1500}) {
    const Tensor x = arange(3 * n, kFloat).mul(0.37).sin().mul(20).view({3, n});
    for (const bool log : {false, true}) {
      const auto soft = [log](const Tensor& t, int64_t dim) {
        return log ? t.log_softmax(dim) : t.softmax(dim);
      };
      const auto rows = elements(soft(x, 1));
      const auto columns = elements(soft(x.t().contiguous(), 0).t().contiguous());
      ASSERT_EQ(rows.size(), columns.size());
      for (size_t i = 0; i < rows.size(); ++i) {
        ASSERT_NEAR(rows[i], columns[i], 4e-6 * (1 + std::abs(columns[i]))) << n << " at " << i;
      }
    }
  }
}

}  // namespace
}  // namespace tensorlib::testing
