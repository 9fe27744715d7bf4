// Picking by places, parts of a whole, the few largest: every type, layout and device.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "unit/tensorlib/layouts.h"
#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

using namespace tensorlib::indexing;
using Numbers = std::vector<double>;
using Sizes = std::vector<int64_t>;

// [4, 6] numbers without order, some of them equal; none below 0 for bytes.
Tensor numbers(ScalarType type) {
  const Tensor n = arange(24, kLong) * 7;
  const Tensor rest = n - (n / 11).to(kLong) * 11;
  return (type == kByte ? rest : rest - 5).view({4, 6}).to(type);
}

TEST(Cat, AnEmptyVectorJoinsWhateverTheOthersAre) {
  for (const Device& device : devices()) {
    Tensor all = empty({0}, device);
    for (int i = 0; i < 3; ++i)
      all = cat({all, full({1, 2}, i, TensorOptions(device).dtype(kFloat))});
    EXPECT_EQ(all.sizes(), std::vector<int64_t>({3, 2}));
    EXPECT_TRUE(near(elements(all), {0, 0, 1, 1, 2, 2}, 0));
    EXPECT_EQ(cat({empty({0}, device), empty({0}, device)}).sizes(), std::vector<int64_t>({0}));
  }
}

TEST(IndexSelect, TakesRowsOfEveryTypeAndLayout) {
  for (const Device& device : devices()) {
    for (ScalarType type : kAllTypes) {
      const Tensor x = numbers(type).to(device);
      const Numbers in = elements(x);
      for (const Layout& layout : layouts()) {
        SCOPED_TRACE(::testing::Message()
                     << name_of(type) << ", " << layout.name << ", on " << device);
        for (ScalarType index_type : {kInt, kLong}) {
          const Tensor index = tensor({3, 0, 3}).to(device, index_type);
          Numbers rows, columns;
          for (size_t i : {3, 0, 3}) rows.insert(rows.end(), &in[i * 6], &in[i * 6] + 6);
          for (size_t i = 0; i < 4; ++i) {
            for (size_t j : {3, 0, 3}) columns.push_back(in[i * 6 + j]);
          }
          EXPECT_EQ(elements(layout.make(x).index_select(0, index)), rows);
          EXPECT_EQ(elements(index_select(layout.make(x), -1, index)), columns);
        }
      }
    }
    EXPECT_EQ(ones({3, 2}, device).index_select(0, zeros({0}, kLong).to(device)).sizes(),
              Sizes({0, 2}));
    EXPECT_EQ(ones({}, device).index_select(0, zeros({1}, kLong).to(device)).dim(), 0);
  }
}

TEST(IndexSelect, RefusesWhatDoesNotFit) {
  const Tensor x = ones({3, 2});
  EXPECT_THROW((void)x.index_select(0, tensor({3})), IndexError);
  EXPECT_THROW((void)x.index_select(0, tensor({-1})), IndexError);
  EXPECT_THROW((void)x.index_select(2, tensor({0})), IndexError);
  EXPECT_THROW((void)x.index_select(0, tensor({{0}})), ShapeError);
  EXPECT_THROW((void)x.index_select(0, tensor({0.0})), DTypeMismatchError);
}

TEST(Embedding, IsTheRowsOfItsWeight) {
  for (const Device& device : devices()) {
    nn::Embedding layer(5, 3);
    layer->to(device);
    const Tensor indices = tensor({{4, 0}, {4, 1}}).to(device);
    const Tensor rows = layer(indices);
    EXPECT_EQ(rows.sizes(), Sizes({2, 2, 3}));
    EXPECT_EQ(elements(rows[0][0]), elements(layer->weight[4]));
    EXPECT_EQ(elements(rows[1][1]), elements(layer->weight[1]));
    rows.sum().backward();
    EXPECT_EQ(elements(layer->weight.grad()),
              (Numbers{1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 2, 2, 2}));
  }
  const Tensor weight = ones({5, 3});
  EXPECT_THROW((void)embedding(weight, tensor({5})), IndexError);
  EXPECT_THROW((void)embedding(weight, tensor({0.5})), DTypeMismatchError);
  EXPECT_THROW((void)embedding(ones({5}), tensor({0})), ShapeError);
  EXPECT_THROW((void)embedding(weight, tensor({0}), -1, true), Error);
}

TEST(Embedding, ItsPaddingIsZeroAndLearnsNothing) {
  for (const Device& device : devices()) {
    nn::Embedding layer(nn::EmbeddingOptions(4, 2).padding_idx(-3));
    EXPECT_EQ(elements(layer->weight[1]), (Numbers{0, 0}));
    layer->to(device);
    layer(tensor({1, 2, 1}).to(device)).sum().backward();
    EXPECT_EQ(elements(layer->weight.grad()), (Numbers{0, 0, 0, 0, 1, 1, 0, 0}));
  }
  EXPECT_THROW(nn::Embedding(nn::EmbeddingOptions(4, 2).padding_idx(4)), IndexError);
}

TEST(Split, PartsAreViewsThatMakeUpTheWhole) {
  const Tensor x = arange(10, kFloat).view({5, 2});
  const auto shapes = [](const std::vector<Tensor>& parts) {
    std::vector<Sizes> sizes;
    for (const Tensor& part : parts) sizes.push_back(part.sizes().vec());
    return sizes;
  };
  using Shapes = std::vector<Sizes>;
  EXPECT_EQ(shapes(x.split(2)), (Shapes{{2, 2}, {2, 2}, {1, 2}}));
  EXPECT_EQ(shapes(split(x, 7)), (Shapes{{5, 2}}));
  EXPECT_EQ(shapes(x.split({1, 0, 4}, 0)), (Shapes{{1, 2}, {0, 2}, {4, 2}}));
  EXPECT_EQ(shapes(x.chunk(3)), (Shapes{{2, 2}, {2, 2}, {1, 2}}));
  EXPECT_EQ(shapes(x.chunk(4)), (Shapes{{2, 2}, {2, 2}, {1, 2}}));  // not four, as in LibTorch
  EXPECT_EQ(shapes(chunk(x, 2, -1)), (Shapes{{5, 1}, {5, 1}}));
  EXPECT_EQ(shapes(x.unbind(1)), (Shapes{{5}, {5}}));
  EXPECT_EQ(shapes(zeros({0, 2}).split(3)), (Shapes{{0, 2}}));
  EXPECT_EQ(shapes(zeros({0, 2}).chunk(2)), (Shapes{{0, 2}, {0, 2}}));
  const auto parts = x.split(2);
  EXPECT_TRUE(parts[1].is_alias_of(x));
  EXPECT_EQ(elements(parts[2]), (Numbers{8, 9}));
  EXPECT_EQ(elements(cat(parts)), elements(x));
  EXPECT_THROW((void)x.split(0), ShapeError);
  EXPECT_THROW((void)x.split(-1), ShapeError);
  EXPECT_THROW((void)x.split({2, 2}, 0), ShapeError);
  EXPECT_THROW((void)x.split({2, 4}, 0), ShapeError);
  EXPECT_THROW((void)x.split({-1, 6}, 0), ShapeError);
  EXPECT_THROW((void)x.chunk(0), ShapeError);
  EXPECT_THROW((void)x.split(1, 2), IndexError);
  EXPECT_THROW((void)ones({}).split(1), IndexError);
  EXPECT_THROW((void)ones({}).unbind(), IndexError);
}

TEST(TopK, IsTheStartOfTheSortedRow) {
  for (const Device& device : devices()) {
    for (ScalarType type : kNumberTypes) {
      const Tensor x = numbers(type).to(device);
      for (const Layout& layout : layouts()) {
        for (int64_t dim : {0, 1}) {
          for (bool largest : {true, false}) {
            SCOPED_TRACE(::testing::Message()
                         << name_of(type) << ", " << layout.name << ", along " << dim
                         << ", largest " << largest << " on " << device);
            const int64_t k = 3;
            const auto [values, indices] = layout.make(x).topk(k, dim, largest);
            const int64_t lines = dim == 0 ? 6 : 4;
            for (int64_t line = 0; line < lines; ++line) {
              const Numbers row = elements(x.select(1 - dim, line));
              std::vector<size_t> order(row.size());
              std::iota(order.begin(), order.end(), size_t{0});
              std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
                return largest ? row[a] > row[b] : row[a] < row[b];
              });
              Numbers best, places;
              for (size_t i = 0; i < size_t{k}; ++i) {
                best.push_back(row[order[i]]);
                places.push_back(static_cast<double>(order[i]));
              }
              EXPECT_EQ(elements(values.select(1 - dim, line)), best);
              EXPECT_EQ(elements(indices.select(1 - dim, line)), places);
            }
          }
        }
      }
    }
  }
}

TEST(TopK, NanIsLargestAndTheEndsAreFine) {
  for (const Device& device : devices()) {
    const Tensor x = tensor({1.0, double(NAN), -INFINITY, INFINITY}).to(device);
    EXPECT_EQ(elements(std::get<1>(topk(x, 4))), (Numbers{1, 3, 0, 2}));
    EXPECT_EQ(elements(std::get<1>(x.topk(4, 0, false))), (Numbers{2, 0, 3, 1}));
    EXPECT_EQ(std::get<0>(x.topk(0)).numel(), 0);
    EXPECT_EQ(std::get<0>(full({}, 3.0, device).topk(1)).item<float>(), 3);
    EXPECT_EQ(std::get<0>(zeros({0, 3}, device).topk(2)).sizes(), Sizes({0, 2}));
    const Tensor wide = arange(100000, kFloat).to(device);
    EXPECT_EQ(elements(std::get<0>(wide.topk(2))), (Numbers{99999, 99998}));
  }
  EXPECT_THROW((void)ones({3}).topk(4), IndexError);
  EXPECT_THROW((void)ones({3}).topk(-1), IndexError);
  EXPECT_THROW((void)ones({3}).topk(1, 1), IndexError);
  EXPECT_THROW((void)ones({3}, kBool).topk(1), DTypeMismatchError);
}

TEST(Indexing, NumbersSlicesNoneAndEllipsisMakeViews) {
  const Tensor x = arange(24, kFloat).view({2, 3, 4});
  struct Case {
    const char* name;
    Tensor view, same;
  };
  const Case cases[] = {
      {"0", x.index({0}), x[0]},
      {"1, -1", x.index({1, -1}), x[1][2]},
      {":, 1:", x.index({Slice(), Slice(1, None)}), x.slice(1, 1)},
      {"..., ::2", x.index({Ellipsis, Slice(None, None, 2)}), x.slice(2, 0, 4, 2)},
      {"0, ..., -2:", x.index({0, "...", Slice(-2)}), x[0].slice(1, 2)},
      {"None, 0", x.index({None, 0}), x[0].unsqueeze(0)},
      {":, None, ..., 0", x.index({Slice(), None, Ellipsis, 0}), x.select(2, 0).unsqueeze(1)},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(c.view.sizes(), c.same.sizes());
    EXPECT_EQ(elements(c.view), elements(c.same));
    EXPECT_TRUE(c.view.is_alias_of(x));
  }
  EXPECT_THROW((void)x.index({0, 0, 0, 0}), IndexError);
  EXPECT_THROW((void)x.index({2}), IndexError);
  EXPECT_THROW((void)x.index({Ellipsis, Ellipsis}), IndexError);
  EXPECT_THROW((void)x.index({Slice(0, 1, 0)}), IndexError);
}

TEST(Indexing, ATensorPicksAndAMaskChooses) {
  for (const Device& device : devices()) {
    const Tensor x = arange(12, kFloat).view({3, 4}).to(device);
    EXPECT_EQ(elements(x.index({tensor({2, -3}).to(device)})), (Numbers{8, 9, 10, 11, 0, 1, 2, 3}));
    const Tensor grid = x.index({Slice(), tensor({{1, 1}, {0, 3}})});  // from the CPU, as LibTorch
    EXPECT_EQ(grid.sizes(), Sizes({3, 2, 2}));
    EXPECT_EQ(elements(grid[1]), (Numbers{5, 5, 4, 7}));
    EXPECT_EQ(elements(x.index({x.gt(6)})), (Numbers{7, 8, 9, 10, 11}));
    EXPECT_EQ(x.index({tensor({true, false, true}).to(device)}).sizes(), Sizes({2, 4}));
    EXPECT_EQ(x.index({x.gt(100)}).sizes(), Sizes({0}));
    EXPECT_THROW((void)x.index({ones({2}, kBool).to(device)}), IndexError);
    EXPECT_THROW((void)x.index({ones({2}).to(device)}), DTypeMismatchError);
    EXPECT_THROW((void)x.index({x.gt(1), x.gt(2)}), IndexError);
  }
}

TEST(Indexing, PutsValuesWhereTheIndexShows) {
  for (const Device& device : devices()) {
    Tensor x = zeros({2, 3}, device);
    x.index_put_({Slice(), 1}, 5).index_put_({0, Slice(0, 2)}, tensor({1.0, 2.0}).to(device));
    EXPECT_EQ(elements(x), (Numbers{1, 2, 0, 0, 5, 0}));
  }
}

TEST(Indexing, SeveralTensorsNameElementsTogether) {
  for (const Device& device : devices()) {
    const Tensor x = arange(24, kFloat).view({2, 3, 4}).to(device);
    const auto places = [&](const Tensor& t) { return t.to(device); };
    const Tensor rows = places(tensor({1, 0, -1})), columns = places(tensor({2, -3, 0}));
    const Tensor picked = x.index({rows, columns});
    EXPECT_EQ(picked.sizes(), Sizes({3, 4}));
    EXPECT_EQ(elements(picked), (Numbers{20, 21, 22, 23, 0, 1, 2, 3, 12, 13, 14, 15}));
    // Side by side behind a Slice; apart; broadcast; with a mask; a number that is a tensor.
    EXPECT_EQ(elements(x.index({Slice(), rows, columns})), (Numbers{6, 1, 8, 18, 13, 20}));
    const Tensor apart = x.index({rows, Slice(), columns});
    EXPECT_EQ(apart.sizes(), Sizes({3, 3}));
    EXPECT_EQ(elements(apart), (Numbers{14, 18, 22, 1, 5, 9, 12, 16, 20}));
    const Tensor grid = x.index({rows.slice(0, 0, 2).unsqueeze(1), columns});
    EXPECT_EQ(grid.sizes(), Sizes({2, 3, 4}));
    EXPECT_EQ(elements(grid.select(2, 0)), (Numbers{20, 12, 12, 8, 0, 0}));
    EXPECT_EQ(
        elements(x.index({places(tensor({true, false})), Ellipsis, tensor({3, 0})}).select(0, 1)),
        (Numbers{0, 4, 8}));
    EXPECT_EQ(elements(x.index({tensor(1), Slice(), tensor({0, 1})})),
              elements(x[1].slice(1, 0, 2)));
    EXPECT_EQ(elements(x.transpose(0, 2).index({columns, Slice(), rows})),
              elements(x.permute({1, 2, 0}).contiguous().index({Slice(), columns, rows}).t()));
    EXPECT_EQ(x.index({rows.slice(0, 0, 0), columns.slice(0, 0, 0)}).sizes(), Sizes({0, 4}));
    EXPECT_THROW((void)x.index({rows, columns.slice(0, 0, 2)}), ShapeError);
    EXPECT_THROW((void)x.index({rows, columns.to(kFloat)}), DTypeMismatchError);
  }
  const Tensor x = arange(6, kFloat).view({2, 3});
  EXPECT_THROW((void)x.index({tensor({0, 2}), tensor({0, 0})}), IndexError);
  EXPECT_THROW((void)x.index({tensor({0, 1}), tensor({0, 3})}), IndexError);
  EXPECT_THROW((void)x.index({tensor({0, 1}), tensor({0, -4})}), IndexError);
}

TEST(Indexing, PutsByTensors) {
  for (const Device& device : devices()) {
    for (ScalarType type : kAllTypes) {
      SCOPED_TRACE(::testing::Message() << name_of(type) << " on " << device);
      for (const Layout& layout : layouts()) {
        const auto expect_put = [&](ArrayRef<TensorIndex> indices, const Tensor& values,
                                    const Numbers& expected) {
          Tensor x = layout.make(zeros({2, 3}, TensorOptions(device).dtype(type)));
          x.index_put_(indices, values.to(type).to(device));
          EXPECT_EQ(elements(x), expected) << layout.name;
        };
        const Tensor rows = tensor({1, 0}).to(device), columns = tensor({-1, 1}).to(device);
        expect_put({rows}, tensor({1, 0, 1}), {1, 0, 1, 1, 0, 1});
        expect_put({rows}, tensor({{1}, {0}}), {0, 0, 0, 1, 1, 1});
        expect_put({Slice(), columns}, tensor({{0, 1}, {1, 0}}), {0, 1, 0, 0, 0, 1});
        expect_put({rows, columns}, tensor({{0, 1}}), {0, 1, 0, 0, 0, 0});
        expect_put({rows, columns}, tensor(1), {0, 1, 0, 0, 0, 1});
        expect_put({0, columns}, tensor({1, 1}), {0, 1, 1, 0, 0, 0});
        expect_put({Slice(1), columns}, tensor(1), {0, 0, 0, 0, 1, 1});
        expect_put({tensor({{true, false, true}, {false, true, false}}).to(device)},
                   tensor({0, 1, 1}), {0, 0, 1, 0, 1, 0});
        if (type == kBool) continue;
        Tensor sums = layout.make(ones({2, 3}, TensorOptions(device).dtype(type)));
        sums.index_put_({tensor({1, 1, 0}), tensor({2, 2, 0})},
                        tensor({2, 3, 4}).to(type).to(device), true);
        EXPECT_EQ(elements(sums), (Numbers{5, 1, 1, 1, 1, 6})) << layout.name;
      }
    }
    Tensor x = arange(4, kFloat).to(device);
    x.index_put_({tensor({3, 0})}, x.slice(0, 0, 2));  // values of the tensor itself
    EXPECT_EQ(elements(x), (Numbers{1, 1, 2, 0}));
    x.index_put_({tensor({0, 1})}, 7);
    EXPECT_EQ(elements(x), (Numbers{7, 7, 2, 0}));
    EXPECT_EQ(elements(index_put(x, {tensor({2})}, ones({1}, device), true)),
              (Numbers{7, 7, 3, 0}));
    EXPECT_EQ(elements(x), (Numbers{7, 7, 2, 0}));
    EXPECT_THROW(x.index_put_({tensor({0, 1})}, ones({3}, device)), ShapeError);
    EXPECT_THROW(x.index_put_({tensor({0})}, ones({1}, kDouble).to(device)), DTypeMismatchError);
    EXPECT_THROW(x.requires_grad_().index_put_({tensor({0})}, 1), Error);  // a leaf
  }
  Tensor x = zeros({2});
  EXPECT_THROW(x.index_put_({tensor({2})}, 1), IndexError);
  EXPECT_THROW(x.index_put_({tensor({-3})}, 1), IndexError);
}

TEST(Roll, MovesOnAndIn) {
  for (const Device& device : devices()) {
    const Tensor x = arange(6, kFloat).view({2, 3}).to(device);
    EXPECT_EQ(elements(x.roll(1)), (Numbers{5, 0, 1, 2, 3, 4}));
    EXPECT_EQ(elements(x.roll(-1, 1)), (Numbers{1, 2, 0, 4, 5, 3}));
    EXPECT_EQ(elements(roll(x, {1, 4}, {0, -1})), (Numbers{5, 3, 4, 2, 0, 1}));
    EXPECT_FALSE(x.roll(3, 1).is_alias_of(x));
    EXPECT_EQ(zeros({0, 2}, device).roll(1, 0).sizes(), Sizes({0, 2}));
    EXPECT_EQ(ones({}, device).roll(1).item<float>(), 1);
    EXPECT_THROW((void)x.roll({1, 2}, 0), Error);
    EXPECT_THROW((void)x.roll({1, 2}), Error);
  }
}

TEST(Diag, GoesBothWays) {
  for (const Device& device : devices()) {
    const Tensor x = arange(6, kFloat).view({2, 3}).to(device);
    EXPECT_EQ(elements(x.diag()), (Numbers{0, 4}));
    EXPECT_EQ(elements(diag(x, 1)), (Numbers{1, 5}));
    EXPECT_EQ(elements(x.diag(-1)), (Numbers{3}));
    EXPECT_EQ(x.diag(7).sizes(), Sizes({0}));
    EXPECT_EQ(elements(x[0].diag()), (Numbers{0, 0, 0, 0, 1, 0, 0, 0, 2}));
    EXPECT_EQ(elements(x[0].slice(0, 1).diag(-1)), (Numbers{0, 0, 0, 1, 0, 0, 0, 2, 0}));
    EXPECT_EQ(x[0].diag(2).sizes(), Sizes({5, 5}));
    EXPECT_THROW((void)ones({2, 2, 2}, device).diag(), ShapeError);
  }
}

TEST(Indexing, AnAssignmentToWhatAnExpressionShowsIsWritten) {
  for (const Device& device : devices()) {
    Tensor x = zeros({3, 2}, device);
    x[0] = 5;
    x[1][1] = 2.5;
    x.index({2}) = tensor({3.0, 4.0}).to(device);
    x.slice(0, 1, 2).select(1, 0) = x[2][1];
    EXPECT_EQ(elements(x), (Numbers{5, 5, 4, 2.5, 3, 4}));
    // A variable becomes another handle, and what it was stays as it is.
    Tensor row = x[0];
    row = ones({2}, device);
    EXPECT_EQ(elements(x[0]), (Numbers{5, 5}));
  }
  Tensor x = zeros({3, 2});
  const std::string text = error_of([&] { x[0] = ones({3}); });
  EXPECT_NE(text.find("copy_"), std::string::npos) << text;
  EXPECT_NE(text.find("index_test.cc"), std::string::npos) << text;
}

TEST(MaskedSelect, TakesWhatTheMaskShows) {
  for (const Device& device : devices()) {
    const Tensor x = arange(6, kFloat).view({2, 3}).to(device);
    EXPECT_EQ(elements(x.masked_select(x.gt(2))), (Numbers{3, 4, 5}));
    EXPECT_EQ(elements(x.t().masked_select(x.t().gt(2))), (Numbers{3, 4, 5}));
    const Tensor columns = tensor({true, false, true}).to(device);
    EXPECT_EQ(elements(masked_select(x, columns)), (Numbers{0, 2, 3, 5}));
    EXPECT_EQ(elements(x[0].masked_select(x.ge(3))), (Numbers{0, 1, 2}));
    EXPECT_THROW((void)x.masked_select(x), DTypeMismatchError);
    EXPECT_THROW((void)x.masked_select(ones({2}, kBool).to(device)), ShapeError);
  }
}

TEST(Scatter, SetsTheIndexedPlaces) {
  for (const Device& device : devices()) {
    Tensor x = zeros({3, 4}, device);
    x.scatter_(1, tensor({{0}, {2}, {2}}).to(device), 1);
    EXPECT_EQ(elements(x), (Numbers{1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0}));
    // An index that covers a part, twice at one place; of another type.
    const Tensor y = ones({3, 2}, kLong).to(device).scatter(0, tensor({{1}, {1}}).to(device), 7);
    EXPECT_EQ(elements(y), (Numbers{1, 1, 7, 1, 1, 1}));
    EXPECT_EQ(elements(y.scatter(0, zeros({0, 2}, kLong).to(device), 7)), elements(y));
    EXPECT_THROW(x.scatter_(0, tensor({1}).to(device), 1), ShapeError);
    EXPECT_THROW(x.scatter_(0, tensor({{1.0}}).to(device), 1), DTypeMismatchError);
  }
  EXPECT_THROW(zeros({2, 2}).scatter_(0, tensor({{2}}), 1), IndexError);
}

}  // namespace
}  // namespace tensorlib::testing
