// The worked example of tensorlib/README.md: transfer budgets of a model.

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <tensorlib/tensorlib.h>

#include "xfer/assert.h"

namespace torch = tensorlib;

namespace {

constexpr int kFeatures = 64;

class ScoresTest : public testing::Test {
 protected:
  void SetUp() override { layer->to(device); }

  const torch::Device device{torch::kCUDA};
  torch::nn::Linear layer{kFeatures, 10};
  const torch::Tensor batch = torch::ones({8, kFeatures});
};

TEST_F(ScoresTest, ABatchCrossesOnce) {
  torch::Tensor scores;
  EXPECT_TRANSFERS(h2d == 1, bytes == 4 * 8 * kFeatures) { scores = layer(batch.to(device)); }
  EXPECT_TRANSFERS(d2h == 1, d2h_bytes == 4) { scores.sum().item<float>(); }
}

TEST_F(ScoresTest, ForwardStaysOnTheDevice) {
  const torch::Tensor there = batch.to(device);
  torch::Tensor scores;
  EXPECT_NO_TRANSFERS { scores = torch::relu(layer(there)); }
}

TEST_F(ScoresTest, NothingIsSentTwice) {
  EXPECT_NO_FINDINGS {
    const torch::Tensor there = batch.to(device);
    for (int i = 0; i < 3; ++i) layer(there).sum().item<float>();
  }
}

TEST_F(ScoresTest, AnOperandThatIsCopiedUnasked) {
  const torch::OperandPolicyScope scope(torch::OperandPolicy::kImplicit);
  const torch::Tensor bias = torch::ones({8, 10});
  const torch::Tensor there = batch.to(device);
  EXPECT_NONFATAL_FAILURE(
      {
        EXPECT_NO_FINDINGS {
          for (int i = 0; i < 3; ++i) (void)(layer(there) + bias).sum().item<float>();
}
}  // namespace
,
      "implicit-transfer");
}

TEST_F(ScoresTest, AFailureNamesTheLine) {
  EXPECT_NONFATAL_FAILURE(
      {
        torch::nn::Linear layer(4, 4);
        EXPECT_NO_TRANSFERS { layer->to(torch::kCUDA); }
      },
      "tensorlib_test.cc:");
}

}  // namespace
