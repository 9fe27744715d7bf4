// Convolution, pooling and batch norm, against loops over windows.
#include <cmath>
#include <limits>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

double at(const std::vector<double>& image, int64_t h, int64_t w, int64_t plane, int64_t y,
          int64_t x, double outside) {
  if (y < 0 || y >= h || x < 0 || x >= w) return outside;
  return image[static_cast<size_t>((plane * h + y) * w + x)];
}

struct Conv {
  int64_t c, out_c, h, w, kh, kw, stride, padding, dilation, groups;
  bool bias;
};

std::vector<double> reference(const Conv& s, const Tensor& input, const Tensor& weight,
                              const Tensor& bias, int64_t out_h, int64_t out_w) {
  const auto in = elements(input), k = elements(weight);
  const auto b = s.bias ? elements(bias) : std::vector<double>(static_cast<size_t>(s.out_c));
  const int64_t group_c = s.c / s.groups, group_out = s.out_c / s.groups;
  std::vector<double> out;
  for (int64_t n = 0; n < input.size(0); ++n) {
    for (int64_t o = 0; o < s.out_c; ++o) {
      for (int64_t y = 0; y < out_h; ++y) {
        for (int64_t x = 0; x < out_w; ++x) {
          double sum = b[static_cast<size_t>(o)];
          for (int64_t c = 0; c < group_c; ++c) {
            for (int64_t i = 0; i < s.kh; ++i) {
              for (int64_t j = 0; j < s.kw; ++j) {
                sum += k[static_cast<size_t>(((o * group_c + c) * s.kh + i) * s.kw + j)] *
                       at(in, s.h, s.w, n * s.c + o / group_out * group_c + c,
                          y * s.stride - s.padding + i * s.dilation,
                          x * s.stride - s.padding + j * s.dilation, 0);
              }
            }
          }
          out.push_back(sum);
        }
      }
    }
  }
  return out;
}

TEST(Conv2d, OfANumberThatIsTooLargeIsAnError) {
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max(), kLarge = 0x7fffffff;
  const Tensor image = rand({1, 2, 5, 5}), weight = rand({3, 2, 3, 3});
  for (const int64_t n : {kHuge, kHuge / 2, kHuge / 4}) {
    EXPECT_THROW((void)conv2d(image, weight, {}, 1, n), ShapeError);
    EXPECT_THROW((void)conv2d(image, weight, {}, n, 1), ShapeError);
    EXPECT_THROW((void)conv2d(image, weight, {}, 1, 1, n), ShapeError);
    EXPECT_THROW((void)conv_transpose2d(image, weight.transpose(0, 1), {}, 1, n), ShapeError);
    EXPECT_THROW((void)conv_transpose2d(image, weight.transpose(0, 1), {}, n), ShapeError);
    EXPECT_THROW((void)max_pool2d(image, 2, n), ShapeError);
  }
  EXPECT_THROW((void)conv2d(image, weight, {}, 1, kLarge), Error);
  EXPECT_THROW((void)conv2d(image, weight, {}, 1, 1, kLarge), ShapeError);
}

TEST(Conv2d, MatchesTheLoopOverWindows) {
  const Conv cases[] = {
      {3, 4, 8, 8, 3, 3, 1, 1, 1, 1, true},  {3, 8, 9, 7, 3, 3, 2, 1, 1, 1, false},
      {4, 4, 6, 6, 1, 1, 1, 0, 1, 1, true},  {4, 6, 7, 7, 1, 1, 2, 0, 1, 2, false},
      {3, 2, 10, 9, 7, 5, 2, 3, 1, 1, true}, {4, 4, 9, 9, 3, 3, 1, 2, 2, 4, true},
  };
  for (const Device& device : devices()) {
    for (ScalarType type : kFloatingTypes) {
      for (const Conv& s : cases) {
        SCOPED_TRACE(::testing::Message() << name_of(type) << " " << s.c << "->" << s.out_c << ", "
                                          << s.kh << "x" << s.kw << " on " << device);
        manual_seed(3);
        const Tensor input = rand({2, s.c, s.h, s.w}, type).to(device);
        const Tensor weight = rand({s.out_c, s.c / s.groups, s.kh, s.kw}, type).to(device) - 0.5;
        const Tensor bias = s.bias ? rand({s.out_c}, type).to(device) : Tensor();
        const Tensor output =
            conv2d(input, weight, bias, s.stride, s.padding, s.dilation, s.groups);
        EXPECT_TRUE(near(elements(output),
                         reference(s, input, weight, bias, output.size(2), output.size(3)),
                         5 * tolerance(type)));
        const Tensor again = conv2d(input.transpose(2, 3).contiguous().transpose(2, 3), weight,
                                    bias, s.stride, s.padding, s.dilation, s.groups);
        EXPECT_EQ(elements(again), elements(output));
        EXPECT_TRUE(near(
            elements(conv2d(input[0], weight, bias, s.stride, s.padding, s.dilation, s.groups)),
            elements(output[0]), 5 * tolerance(type)));
      }
    }
  }
}

TEST(Conv2d, SeesEveryChangeOfItsWeight) {
  for (const Device& device : devices()) {
    const Tensor x = ones({1, 8, 4, 4}, device);
    Tensor weight = ones({8, 8, 3, 3}, device);
    const auto middle = [&] { return conv2d(x, weight).max().item<float>(); };
    EXPECT_EQ(middle(), 72);
    EXPECT_EQ(middle(), 72);
    weight.fill_(2);
    EXPECT_EQ(middle(), 144);
    weight *= 2;
    EXPECT_EQ(middle(), 288);
    weight.select(0, 0).zero_();
    weight.narrow(0, 1, 7).copy_(ones({7, 8, 3, 3}));
    EXPECT_EQ(middle(), 72);
    weight.set_data(full({8, 8, 3, 3}, 3.0, device));
    EXPECT_EQ(middle(), 216);
  }
  // And the changes that no operation makes.
  const Tensor x = ones({1, 8, 4, 4}), weight = ones({8, 8, 3, 3});
  EXPECT_EQ(conv2d(x, weight).max().item<float>(), 72);
  float* data = weight.data_ptr<float>();
  std::fill_n(data, weight.numel(), 5.f);
  EXPECT_EQ(conv2d(x, weight).max().item<float>(), 360);
  std::fill_n(data, weight.numel(), 6.f);
  EXPECT_EQ(conv2d(x, weight).max().item<float>(), 432);
}

TEST(Conv2d, BadShapesAreErrors) {
  EXPECT_THROW((void)conv2d(ones({1, 3, 8, 8}), ones({4, 2, 3, 3})), ShapeError);
  EXPECT_THROW((void)conv2d(ones({1, 3, 2, 2}), ones({4, 3, 3, 3})), ShapeError);
  EXPECT_THROW((void)conv2d(ones({3, 8}), ones({4, 3, 3, 3})), ShapeError);
  EXPECT_THROW((void)conv2d(ones({1, 3, 8, 8}), ones({4, 3, 3, 3}), ones({5})), ShapeError);
  EXPECT_THROW((void)conv2d(ones({1, 3, 8, 8}), ones({4, 3, 3, 3}), {}, 0), ShapeError);
  EXPECT_THROW((void)conv2d(ones({1, 3, 8, 8}), ones({4, 3, 3, 3}), {}, {1, 1, 1}), ShapeError);
}

TEST(Pool2d, MatchesTheLoopOverWindows) {
  for (const Device& device : devices()) {
    for (ScalarType type : kFloatingTypes) {
      manual_seed(5);
      const Tensor input = (rand({2, 3, 7, 8}, type) - 0.5).to(device);
      const auto in = elements(input);
      for (const auto& [kernel, stride, padding] :
           {std::tuple{3, 2, 1}, std::tuple{2, 2, 0}, std::tuple{3, 1, 1}}) {
        SCOPED_TRACE(::testing::Message()
                     << name_of(type) << ", kernel " << kernel << " on " << device);
        const Tensor largest = max_pool2d(input, kernel, stride, padding);
        const Tensor average = avg_pool2d(input, kernel, stride, padding);
        const Tensor inside = avg_pool2d(input, kernel, stride, padding, false, false);
        std::vector<double> expected[3];
        for (int64_t plane = 0; plane < 6; ++plane) {
          for (int64_t y = 0; y < largest.size(2); ++y) {
            for (int64_t x = 0; x < largest.size(3); ++x) {
              double best = -1e30, sum = 0;
              int taps = 0;
              for (int i = 0; i < kernel; ++i) {
                for (int j = 0; j < kernel; ++j) {
                  const double value = at(in, 7, 8, plane, y * stride - padding + i,
                                          x * stride - padding + j, -1e30);
                  best = std::max(best, value);
                  if (value != -1e30) sum += value, ++taps;
                }
              }
              expected[0].push_back(best);
              expected[1].push_back(sum / (kernel * kernel));
              expected[2].push_back(sum / taps);
            }
          }
        }
        EXPECT_EQ(elements(largest), expected[0]);
        EXPECT_TRUE(near(elements(average), expected[1], tolerance(type)));
        EXPECT_TRUE(near(elements(inside), expected[2], tolerance(type)));
      }
    }
  }
}

TEST(Pool2d, CeilModeTakesTheLastPartOfTheImage) {
  for (const Device& device : devices()) {
    const Tensor x = arange(25, kFloat).view({1, 5, 5}).to(device);
    EXPECT_EQ(elements(max_pool2d(x, 2, 2, 0, 1, true)),
              (std::vector<double>{6, 8, 9, 16, 18, 19, 21, 23, 24}));
    EXPECT_EQ(elements(max_pool2d(x, 2)), (std::vector<double>{6, 8, 16, 18}));
    EXPECT_EQ(elements(avg_pool2d(x, 2, 2, 0, true)),
              (std::vector<double>{3, 5, 6.5, 13, 15, 16.5, 20.5, 22.5, 24}));
  }
}

TEST(Pool2d, AdaptiveMeansOfAnyOutputSize) {
  for (const Device& device : devices()) {
    const Tensor x = arange(16, kFloat).view({1, 4, 4}).to(device);
    EXPECT_EQ(elements(adaptive_avg_pool2d(x, {1, 1})), (std::vector<double>{7.5}));
    EXPECT_EQ(elements(adaptive_avg_pool2d(x, 2)), (std::vector<double>{2.5, 4.5, 10.5, 12.5}));
    EXPECT_EQ(elements(adaptive_avg_pool2d(x, {1, 3})), (std::vector<double>{6.5, 7.5, 8.5}));
  }
}

// Rows longer than what is computed at once; a NaN is the largest.
TEST(Pool2d, MaximaOfWideImagesWithNaN) {
  constexpr int kHeight = 9, kWidth = 151;
  for (const Device& device : devices()) {
    manual_seed(6);
    Tensor host = rand({1, kHeight, kWidth}) - 0.5;
    for (int64_t i = 7; i < kHeight * kWidth; i += 97) host.view(-1)[i] = std::nan("");
    const auto in = elements(host);
    for (const auto& [kernel, stride, padding, dilation] :
         {std::tuple{2, 2, 0, 1}, std::tuple{3, 2, 1, 1}, std::tuple{3, 1, 1, 2},
          std::tuple{2, 3, 1, 1}, std::tuple{5, 2, 2, 1}}) {
      SCOPED_TRACE(::testing::Message() << kernel << ", " << stride << ", " << padding << ", "
                                        << dilation << " on " << device);
      const Tensor input = host.clone().to(device).requires_grad_();
      const Tensor largest = max_pool2d(input, kernel, stride, padding, dilation);
      largest.sum().backward();
      const auto found = elements(largest.detach());
      std::vector<double> taken(in.size());
      size_t output = 0;
      for (int64_t y = 0; y < largest.size(1); ++y) {
        for (int64_t x = 0; x < largest.size(2); ++x, ++output) {
          int64_t place = -1;
          for (int64_t i = 0; i < kernel; ++i) {
            for (int64_t j = 0; j < kernel; ++j) {
              const int64_t row = y * stride - padding + i * dilation;
              const int64_t column = x * stride - padding + j * dilation;
              if (row < 0 || row >= kHeight || column < 0 || column >= kWidth) continue;
              const int64_t at = row * kWidth + column;
              if (place < 0 || (!(in[at] <= in[place]) && !std::isnan(in[place]))) place = at;
            }
          }
          ++taken[place];
          EXPECT_TRUE(found[output] == in[place] ||
                      (std::isnan(found[output]) && std::isnan(in[place])))
              << found[output] << " at " << y << ", " << x << "; " << in[place] << " expected";
        }
      }
      EXPECT_EQ(elements(input.grad()), taken);
    }
  }
}

TEST(Pool2d, AdaptiveMeansOfSharesThatOverlap) {
  constexpr int kHeight = 13, kWidth = 70;
  for (const Device& device : devices()) {
    for (const auto& [rows, columns] :
         {std::pair{1, 1}, std::pair{3, 1}, std::pair{3, 4}, std::pair{13, 70}}) {
      SCOPED_TRACE(::testing::Message() << rows << "x" << columns << " on " << device);
      manual_seed(8);
      const Tensor input = rand({2, kHeight, kWidth}).to(device).requires_grad_();
      const Tensor means = adaptive_avg_pool2d(input, {rows, columns});
      means.sum().backward();
      const auto in = elements(input.detach());
      std::vector<double> expected, gradient(in.size());
      for (int64_t plane = 0; plane < 2; ++plane) {
        for (int64_t y = 0; y < rows; ++y) {
          for (int64_t x = 0; x < columns; ++x) {
            const int64_t top = y * kHeight / rows, left = x * kWidth / columns;
            const int64_t bottom = ((y + 1) * kHeight + rows - 1) / rows;
            const int64_t right = ((x + 1) * kWidth + columns - 1) / columns;
            const double count = static_cast<double>((bottom - top) * (right - left));
            double sum = 0;
            for (int64_t i = top; i < bottom; ++i) {
              for (int64_t j = left; j < right; ++j) {
                const int64_t at = (plane * kHeight + i) * kWidth + j;
                sum += in[at];
                gradient[at] += 1 / count;
              }
            }
            expected.push_back(sum / count);
          }
        }
      }
      EXPECT_TRUE(near(elements(means.detach()), expected, 1e-6));
      EXPECT_TRUE(near(elements(input.grad()), gradient, 1e-6));
    }
  }
}

TEST(Pool2d, BadWindowsAreErrors) {
  EXPECT_THROW((void)max_pool2d(ones({1, 2, 2}), 3), ShapeError);
  EXPECT_THROW((void)max_pool2d(ones({1, 8, 8}), 2, 2, 2), ShapeError);
  EXPECT_THROW((void)avg_pool2d(ones({8, 8}), 2), ShapeError);
  EXPECT_THROW((void)adaptive_avg_pool2d(ones({1, 0, 4}), 2), ShapeError);
}

TEST(BatchNorm, NormalisesByRunningOrByBatchStatistics) {
  for (const Device& device : devices()) {
    for (ScalarType type : {kFloat, kDouble}) {
      manual_seed(9);
      const Tensor x = rand({3, 2, 4, 5}, type).to(device);
      const Tensor weight = tensor({2., 0.5}, type).to(device);
      const Tensor bias = tensor({1., -1.}, type).to(device);
      const Tensor mean = tensor({0.25, 0.5}, type).to(device);
      const Tensor variance = tensor({4., 0.25}, type).to(device);
      const auto column = [](const Tensor& t) { return t.view({1, 2, 1, 1}); };
      const Tensor expected =
          (x - column(mean)) / (column(variance) + 1e-5).sqrt() * column(weight) + column(bias);
      EXPECT_TRUE(near(elements(batch_norm(x, weight, bias, mean, variance, false, 0.1, 1e-5)),
                       elements(expected), 4 * tolerance(type)));

      const Tensor batch_mean = x.mean({0, 2, 3});
      const Tensor batch_variance = (x - column(batch_mean)).square().mean({0, 2, 3});
      const Tensor running_mean = mean.clone(), running_variance = variance.clone();
      const Tensor output = batch_norm(x, {}, {}, running_mean, running_variance, true, 0.1, 1e-5);
      EXPECT_TRUE(near(elements(output),
                       elements((x - column(batch_mean)) / (column(batch_variance) + 1e-5).sqrt()),
                       8 * tolerance(type)));
      EXPECT_TRUE(
          near(elements(running_mean), elements(mean * 0.9 + batch_mean * 0.1), tolerance(type)));
      EXPECT_TRUE(near(elements(running_variance),
                       elements(variance * 0.9 + batch_variance * (0.1 * 60 / 59)),
                       4 * tolerance(type)));
    }
  }
  EXPECT_THROW((void)batch_norm(ones({1, 2, 1, 1}), {}, {}, {}, {}, true, 0.1, 1e-5), ShapeError);
  EXPECT_THROW((void)batch_norm(ones({2, 2}), {}, {}, {}, {}, false, 0.1, 1e-5), Error);
  EXPECT_THROW((void)batch_norm(ones({2, 2}), ones({3}), {}, {}, {}, true, 0.1, 1e-5), ShapeError);
}

}  // namespace
}  // namespace tensorlib::testing
