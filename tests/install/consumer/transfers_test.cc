#include <gtest/gtest.h>
#include <tensorlib/tensorlib.h>
#include <xfer/assert.h>

namespace torch = tensorlib;

TEST(Consumer, CountsTransfers) {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  const torch::Tensor x = torch::ones({4});
  torch::Tensor there;
  EXPECT_TRANSFERS(h2d == 1, bytes == 16) { there = x.to(device); }
}
