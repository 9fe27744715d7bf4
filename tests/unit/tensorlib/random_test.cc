// LibTorch's random numbers. LibTorch 1.13 printed the expected values for the same calls in the
// same order after torch::manual_seed(1).
#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

struct LikeLibTorch {
  LikeLibTorch() { set_random_numbers(RandomNumbers::kLibTorch); }
  ~LikeLibTorch() { set_random_numbers(RandomNumbers::kParallel); }
};

TEST(RandomNumbers, AreThoseOfLibTorchWhereAskedFor) {
  const LikeLibTorch scope;
  for (const Device& device : devices()) {
    SCOPED_TRACE(device.str());
    const TensorOptions on(device);
    manual_seed(1);
    EXPECT_TRUE(near(elements(rand({3}, on)), {0.7576316, 0.279310882, 0.403069258}, 1e-7));
    EXPECT_TRUE(near(elements(rand({2}, on.dtype(kDouble))), {0.877475739, 0.398869182}, 1e-8));
    EXPECT_TRUE(near(elements(empty({3}, on).uniform_(-0.5, 2)),
                     {1.38592982, 0.923771262, 0.596944809}, 1e-6));
    EXPECT_TRUE(near(elements(randn({5}, on)),
                     {0.85900861, 0.705592275, -0.340555012, -1.27198994, -1.19482446}, 1e-6));
    EXPECT_TRUE(near(elements(randn({3}, on)), {0.0250231586, -0.762699366, 1.39694262}, 1e-6));
    EXPECT_TRUE(near(elements(randn({2}, on.dtype(kDouble))), {-0.324508833, 0.287869464}, 1e-8));
    EXPECT_TRUE(near(elements(randn({20}, on)),
                     {-0.320620835, -0.29934606,  1.87934577,   -0.0721317828, 0.0662802607,
                      -0.43704012,  0.762600601,  0.441510916,  1.16513848,    2.01539183,
                      0.215182453,  -0.524193645, -0.186001092, -0.644639313,  1.53924584,
                      -0.8695876,   -3.33115363,  -0.747872233, 1.11734962,    0.29813531},
                     1e-5));
    const Tensor sixteen = randn({16}, on);
    EXPECT_TRUE(
        near({elements(sixteen)[0], elements(sixteen)[15]}, {-0.596185148, 0.854721785}, 1e-5));
    const Tensor twenty = randn({20}, on.dtype(kDouble));
    EXPECT_TRUE(
        near({elements(twenty)[0], elements(twenty)[19]}, {-0.224064586, -0.287412942}, 1e-8));
    EXPECT_TRUE(near(elements(randn({3}, on)), {0.235544652, 1.45635498, 0.0822601467}, 1e-6));
  }
}

TEST(RandomNumbers, OrdersAndMasksAreThoseOfLibTorchToo) {
  const LikeLibTorch scope;
  manual_seed(1);
  // The other distributions draw first, in the order of the LibTorch program.
  (void)rand({3});
  (void)rand({2}, kDouble);
  (void)rand({3});
  (void)randn({5});
  (void)randn({3});
  (void)randn({2}, kDouble);
  (void)randn({20});
  (void)randn({16});
  (void)randn({20}, kDouble);
  (void)randn({3});
  const auto mask = [](int64_t n, double p, ScalarType type) {
    return elements(dropout(ones({n}, type), 1 - p, true).gt(0));
  };
  EXPECT_EQ(mask(20, 0.5, kFloat),
            (std::vector<double>{1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(mask(20, 0.3, kFloat),
            (std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0}));
  EXPECT_EQ(mask(10, 0.3, kDouble), (std::vector<double>{0, 0, 1, 0, 0, 1, 0, 0, 0, 0}));
  EXPECT_EQ(elements(randperm(10)), (std::vector<double>{8, 7, 0, 3, 5, 4, 9, 1, 6, 2}));
  EXPECT_EQ(elements(randint(0, 10, {8})), (std::vector<double>{9, 1, 2, 8, 1, 6, 4, 8}));
  EXPECT_EQ(elements(randint(-3, 100, {8}, kLong)),
            (std::vector<double>{69, 22, 54, 14, 25, 67, 20, 56}));
  EXPECT_TRUE(near(elements(rand({3})), {0.920723438, 0.405279934, 0.600927532}, 1e-7));
  EXPECT_EQ(elements(dropout(ones({10}), 0.5, true)),
            (std::vector<double>{2, 2, 2, 2, 0, 2, 0, 2, 2, 0}));
  EXPECT_EQ(elements(feature_dropout(ones({2, 5, 1, 2}), 0.5, true)),
            (std::vector<double>{2, 2, 2, 2, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 2, 2}));
}

TEST(RandomNumbers, AnOrderHasEachNumberOnce) {
  for (const int64_t n : {0, 1, 2, 1000}) {
    manual_seed(3);
    const Tensor order = randperm(n);
    std::vector<double> sorted = elements(order);
    std::sort(sorted.begin(), sorted.end());
    for (int64_t i = 0; i < n; ++i) EXPECT_EQ(sorted[static_cast<size_t>(i)], i);
    manual_seed(3);
    EXPECT_TRUE(randperm(n).equal(order));
  }
  EXPECT_NE(elements(randperm(1000)), elements(randperm(1000)));
  EXPECT_EQ(randperm(3, kFloat).dtype(), kFloat);
  EXPECT_THROW((void)randperm(-1), Error);
}

TEST(Multinomial, DrawsByTheWeights) {
  const auto draw = [](const Device& device, int64_t samples, bool replacement) {
    manual_seed(4);
    const Tensor weights = tensor({{1.0, 0.0, 3.0}, {0.5, 0.25, 0.25}}).to(device);
    return elements(multinomial(weights, samples, replacement));
  };
  for (const Device& device : devices()) {
    for (const auto& [samples, replacement] : {std::pair{1, false}, {2, false}, {3000, true}}) {
      const auto places = draw(device, samples, replacement);
      EXPECT_EQ(places, draw(kCPU, samples, replacement)) << device;
      const auto first_row = places.begin() + samples;
      EXPECT_EQ(std::count(places.begin(), first_row, 1), 0);
      if (samples == 2) {
        EXPECT_NE(places[0], places[1]);
        EXPECT_NE(places[2], places[3]);
      }
      if (samples == 3000) {
        EXPECT_NEAR(std::count(places.begin(), first_row, 2), 2250, 120);
        EXPECT_NEAR(std::count(first_row, places.end(), 0), 1500, 140);
      }
    }
    EXPECT_EQ(tensor({0.0, 1.0}).to(device).multinomial(1).sizes(), std::vector<int64_t>({1}));
  }
  EXPECT_THROW((void)ones({3}).multinomial(4), Error);
  EXPECT_THROW((void)ones({3}).multinomial(0), Error);
  EXPECT_THROW((void)zeros({3}).multinomial(1), Error);
  EXPECT_THROW((void)tensor({1.0, -1.0}).multinomial(1), Error);
  EXPECT_THROW((void)tensor({1.0, double(NAN)}).multinomial(1), Error);
  EXPECT_THROW((void)ones({2, 2, 2}).multinomial(1), ShapeError);
  EXPECT_THROW((void)ones({3}, kLong).multinomial(1), DTypeMismatchError);
}

TEST(Exponential, AndBernoulliHaveTheirMeans) {
  for (const Device& device : devices()) {
    manual_seed(4);
    const Tensor x = empty({4000}, device).exponential_(2);
    EXPECT_GE(x.min().item<float>(), 0);
    EXPECT_NEAR(x.mean().item<float>(), 0.5, 0.04);
    const Tensor coins = full({4000}, 0.3, device).bernoulli();
    EXPECT_NEAR(coins.mean().item<float>(), 0.3, 0.03);
    EXPECT_EQ(coins.dtype(), kFloat);
    EXPECT_EQ(coins.max().item<float>(), 1);
  }
  EXPECT_THROW(empty({2}).exponential_(0), Error);
}

TEST(FeatureDropout, DropsWholeChannels) {
  for (const Device& device : devices()) {
    manual_seed(1);
    const Tensor x = ones({4, 32, 3, 3}, device);
    const auto sums = elements(feature_dropout(x, 0.25, true).sum({2, 3}));
    int dropped = 0;
    for (const double sum : sums) {
      EXPECT_TRUE(sum == 0 || std::abs(sum - 12) < 1e-4) << sum;
      dropped += sum == 0;
    }
    EXPECT_NEAR(dropped, 32, 16);
    EXPECT_TRUE(feature_dropout(x, 0.25, false).equal(x));
    EXPECT_THROW((void)feature_dropout(ones({3}), 0.5, true), ShapeError);
  }
}

}  // namespace
}  // namespace tensorlib::testing
