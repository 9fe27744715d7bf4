#include "machine/cost_model.h"

#include <gtest/gtest.h>

namespace xfer::emulator::cost {
namespace {

constexpr std::uint64_t kLarge = 256 << 20;

TEST(CostModel, LinksRankAsTheyDoOnHardware) {
  EXPECT_LT(copy_ns(Link::kDevice, kLarge), copy_ns(Link::kPinned, kLarge));
  EXPECT_LT(copy_ns(Link::kPinned, kLarge), copy_ns(Link::kPageable, kLarge));
  EXPECT_LT(copy_ns(Link::kPinned, kLarge), copy_ns(Link::kPeer, kLarge));
  EXPECT_LT(fill_ns(kLarge), copy_ns(Link::kDevice, kLarge));
}

TEST(CostModel, SmallCopiesCostTheirLatencyAndLargeOnesTheirBytes) {
  for (const Link link : {Link::kPinned, Link::kPageable, Link::kDevice, Link::kPeer}) {
    const std::uint64_t latency = copy_ns(link, 0);
    EXPECT_GT(latency, 0u);
    EXPECT_LT(copy_ns(link, 64), 2 * latency);
    const double twice = static_cast<double>(copy_ns(link, 2 * kLarge) - latency);
    EXPECT_NEAR(twice / static_cast<double>(copy_ns(link, kLarge) - latency), 2.0, 0.01);
  }
}

TEST(CostModel, MatrixProductsAreBoundByArithmeticOrByMemory) {
  EXPECT_GT(gemm_ns(2e12, 1e6), 10 * gemm_ns(1e9, 1e6));
  EXPECT_GT(gemm_ns(1e3, 1e9), 10 * gemm_ns(1e3, 1e6));
}

TEST(CostModel, KernelsAreBoundByInstructionsOrByMemory) {
  constexpr std::uint64_t kThreads = 1 << 20;
  EXPECT_EQ(kernel_ns(kThreads, 10, 12), kernel_ns(kThreads)) << "a vector add";
  EXPECT_EQ(kernel_ns(kThreads, 5, 12), kernel_ns(kThreads, 10, 12));
  EXPECT_GT(kernel_ns(kThreads, 10, 120), 5 * kernel_ns(kThreads, 10, 12));
  EXPECT_GT(kernel_ns(kThreads, 10'000, 12), 20 * kernel_ns(kThreads, 10, 12));
  EXPECT_EQ(kernel_ns(1, 1, 4), kernel_ns(0, 0, 0)) << "a launch";
}

}  // namespace
}  // namespace xfer::emulator::cost
