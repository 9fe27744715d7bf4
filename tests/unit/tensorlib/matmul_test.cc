// Products of every type, layout and rank, against a triple loop.
#include "unit/tensorlib/layouts.h"
#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

Tensor numbers(IntArrayRef sizes, ScalarType type, int64_t start) {
  int64_t n = 1;
  for (int64_t size : sizes) n *= size;
  return ((arange(start, start + n, kLong) * 5) - (arange(start, start + n) * 5 / 7).to(kLong) * 7)
      .view(sizes)
      .to(type);
}

// a [m, k] and b [k, n], row-major.
std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, size_t m,
                            size_t k, size_t n) {
  std::vector<double> c(m * n);
  for (size_t i = 0; i < m; ++i) {
    for (size_t j = 0; j < n; ++j) {
      for (size_t l = 0; l < k; ++l) c[i * n + j] += a[i * k + l] * b[l * n + j];
    }
  }
  return c;
}

TEST(Matmul, MatricesOfEveryTypeAndLayout) {
  for (const Device& device : devices()) {
    for (ScalarType type : {kShort, kInt, kLong, kHalf, kFloat, kDouble}) {
      const Tensor a = numbers({4, 6}, type, 3).to(device);
      const Tensor b = numbers({6, 4}, type, 1).to(device);
      const auto expected = product(elements(a), elements(b), 4, 6, 4);
      for (const Layout& left : layouts()) {
        for (const Layout& right : layouts()) {
          SCOPED_TRACE(::testing::Message() << name_of(type) << ", " << left.name << " x "
                                            << right.name << " on " << device);
          EXPECT_TRUE(near(elements(left.make(a).mm(right.make(b))), expected, tolerance(type)));
          EXPECT_TRUE(near(elements(left.make(a).matmul(right.make(b.t()).t())), expected,
                           tolerance(type)));
        }
      }
    }
  }
}

TEST(Matmul, VectorsAndBatches) {
  for (const Device& device : devices()) {
    const Tensor a = numbers({2, 3, 4}, kFloat, 2).to(device);
    const Tensor b = numbers({2, 4, 5}, kFloat, 1).to(device);
    const Tensor v = numbers({4}, kFloat, 5).to(device);
    const Tensor batched = a.bmm(b);
    ASSERT_EQ(batched.sizes(), std::vector<int64_t>({2, 3, 5}));
    for (int64_t i = 0; i < 2; ++i) {
      const auto expected = product(elements(a[i]), elements(b[i]), 3, 4, 5);
      EXPECT_EQ(elements(batched[i]), expected);
      EXPECT_EQ(elements(a[i].matmul(v)), product(elements(a[i]), elements(v), 3, 4, 1));
      EXPECT_EQ(elements(v.matmul(b[i])), product(elements(v), elements(b[i]), 1, 4, 5));
    }
    EXPECT_EQ(elements(a.matmul(b)), elements(batched));
    EXPECT_EQ(elements(a.matmul(v)), product(elements(a), elements(v), 6, 4, 1));
    EXPECT_EQ(elements(a.matmul(b[0])), product(elements(a), elements(b[0]), 6, 4, 5));
    EXPECT_EQ(a.unsqueeze(1).matmul(b).sizes(), std::vector<int64_t>({2, 2, 3, 5}));
    EXPECT_EQ(elements(a[0].matmul(b)[1]), product(elements(a[0]), elements(b[1]), 3, 4, 5));
    EXPECT_EQ(v.matmul(v).dim(), 0);
    EXPECT_EQ(v.matmul(v).item<float>(), (v * v).sum().item<float>());
  }
}

TEST(Matmul, AddmmScalesBothParts) {
  for (const Device& device : devices()) {
    const Tensor bias = tensor({1., 2.}).to(device);
    const Tensor a = tensor({{1., 0.}, {0., 1.}}).to(device);
    EXPECT_EQ(elements(bias.addmm(a, a, 10, 3)), (std::vector<double>{13, 20, 10, 23}));
  }
}

TEST(Matmul, LinearOfAnyLeadingShape) {
  for (const Device& device : devices()) {
    const Tensor x = numbers({2, 3, 4}, kFloat, 2).to(device);
    const Tensor weight = numbers({5, 4}, kFloat, 1).to(device);
    const Tensor bias = numbers({5}, kFloat, 3).to(device);
    auto expected = product(elements(x), elements(weight.t()), 6, 4, 5);
    EXPECT_EQ(elements(linear(x, weight)), expected);
    const auto offsets = elements(bias);
    for (size_t i = 0; i < expected.size(); ++i) expected[i] += offsets[i % 5];
    EXPECT_EQ(elements(linear(x, weight, bias)), expected);
    EXPECT_EQ(linear(x, weight, bias).sizes(), std::vector<int64_t>({2, 3, 5}));
    EXPECT_EQ(elements(linear(x[0][0], weight)),
              product(elements(x[0][0]), elements(weight.t()), 1, 4, 5));
  }
}

TEST(Matmul, EmptyOperands) {
  for (const Device& device : devices()) {
    EXPECT_EQ(elements(empty({2, 0}, device).mm(empty({0, 2}, device))),
              (std::vector<double>{0, 0, 0, 0}));
    EXPECT_EQ(empty({0, 3}, device).mm(empty({3, 2}, device)).numel(), 0);
  }
}

TEST(Matmul, BadShapesAndTypesAreErrors) {
  EXPECT_THROW((void)ones({2, 3}).mm(ones({2, 3})), ShapeError);
  EXPECT_THROW((void)ones({2}).mm(ones({2, 3})), ShapeError);
  EXPECT_THROW((void)ones({}).matmul(ones({2})), ShapeError);
  EXPECT_THROW((void)ones({2, 2, 2}).bmm(ones({3, 2, 2})), ShapeError);
  EXPECT_THROW((void)ones({2, 2}).mm(ones({2, 2}, kDouble)), DTypeMismatchError);
  EXPECT_THROW((void)ones({2, 2}, kBool).mm(ones({2, 2}, kBool)), DTypeMismatchError);
  EXPECT_THROW((void)linear(ones({2, 3}), ones({4, 2})), ShapeError);
}

TEST(Einsum, IsWhatItsLettersSay) {
  for (const Device& device : devices()) {
    const auto numbers = [&](std::vector<int64_t> sizes) {
      int64_t n = 1;
      for (const int64_t size : sizes) n *= size;
      return (arange(n, kDouble) * 0.7).sin().view(sizes).to(device);
    };
    const Tensor a = numbers({2, 3, 4}), b = numbers({2, 4, 5}), m = numbers({3, 4});
    const Tensor v = numbers({4}), square = numbers({3, 3});
    const struct {
      const char* equation;
      Tensor actual, expected;
    } cases[] = {
        {"product", einsum("bij,bjk->bik", {a, b}), a.bmm(b)},
        {"implicit", einsum("bij, bjk", {a, b}), a.bmm(b).sum(0)},
        {"in another order", einsum("bij,bjk->kbi", {a, b}), a.bmm(b).permute({2, 0, 1})},
        {"summed over the batch", einsum("bij,bjk->ik", {a, b}), a.bmm(b).sum(0)},
        {"vectors", einsum("i,i->", {v, v}), v.dot(v)},
        {"outer", einsum("i,j->ij", {v, v}), v.outer(v)},
        {"element by element", einsum("ij,ij->ij", {m, m}), m * m},
        {"transposed", einsum("ij->ji", {m}), m.t()},
        {"alphabetical", einsum("ba", {m}), m.t()},
        {"row sums", einsum("ij->i", {m}), m.sum(1)},
        {"trace", einsum("ii", {square}), square.diag().sum()},
        {"diagonal", einsum("ii->i", {square}), square.diag()},
        {"ellipsis", einsum("...ij,jk->...ik", {a, b[0]}), a.matmul(b[0])},
        {"ellipses of two lengths", einsum("...j,...j->...", {a, m}), (a * m).sum(2)},
        {"ellipsis summed", einsum("...j->j", {a}), a.sum({0, 1})},
        {"three", einsum("bij,jk,k->bi", {a, b[0], b[1][0]}), a.matmul(b[0]).matmul(b[1][0])},
        {"one is repeated", einsum("bij,bjk->bik", {a.slice(0, 0, 1), b}),
         a.slice(0, 0, 1).matmul(b)},
        {"capital letters", einsum("Bij,Bjk->Bik", {a, b}), a.bmm(b)},
        {"nothing summed", einsum("ij,j->", {m.slice(0, 0, 0), v}), zeros({}, v.options())},
    };
    for (const auto& c : cases) {
      SCOPED_TRACE(c.equation);
      EXPECT_EQ(c.actual.sizes(), c.expected.sizes());
      EXPECT_TRUE(near(elements(c.actual), elements(c.expected), 1e-12));
    }
    for (const char* wrong : {"ij,jk->ik", "ij->ijk", "ij->ii", "i", "ijk", "i1->i", "......ij"}) {
      EXPECT_THROW((void)einsum(wrong, {m}), ShapeError) << wrong;
    }
    EXPECT_THROW((void)einsum("ij,ij->i", {m, square}), ShapeError);
    EXPECT_THROW((void)einsum("ii", {m}), ShapeError);
    EXPECT_THROW((void)einsum("", {}), Error);
  }
}

}  // namespace
}  // namespace tensorlib::testing
