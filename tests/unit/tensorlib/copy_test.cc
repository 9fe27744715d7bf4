// to() and similar: the tensor that they return, and the copies that they make.
#include "unit/tensorlib/layouts.h"
#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

TEST(To, ReturnsThisTensorWhenThereIsNothingToDo) {
  for (const Device& device : devices()) {
    const Tensor x = ones({2}, device);
    EXPECT_TRUE(x.to(device).is_same(x));
    EXPECT_TRUE(x.to(kFloat).is_same(x));
    EXPECT_TRUE(x.to(x).is_same(x));
    EXPECT_FALSE(x.to(device, kFloat, false, /*copy=*/true).is_alias_of(x));
  }
  const Tensor x = ones({2});
  EXPECT_TRUE(x.cpu().is_same(x));
}

TEST(To, MovesEveryLayoutAndTypeBothWays) {
  for (const Device& device : cuda_devices()) {
    for (const Layout& layout : layouts()) {
      for (ScalarType from : {kByte, kFloat, kDouble, kHalf}) {
        for (ScalarType to : {kFloat, kDouble, kLong}) {
          SCOPED_TRACE(::testing::Message() << layout.name << ", " << name_of(from) << " to "
                                            << name_of(to) << ", on " << device);
          const Tensor x = layout.make(arange(24, kFloat).view({4, 6}).to(from));
          const Tensor there = x.to(device, to);
          EXPECT_EQ(there.device(), device);
          EXPECT_EQ(there.dtype(), to);
          EXPECT_EQ(elements(there), elements(x));
          EXPECT_EQ(elements(layout.make(there).to(kCPU, from)), elements(x));
        }
      }
    }
  }
}

TEST(To, MovesBetweenGpus) {
  TENSORLIB_REQUIRE_TWO_GPUS();
  const Tensor x = arange(6, kFloat).to(Device("cuda:0"));
  const Tensor y = (x + 1).to(Device("cuda:1"));
  EXPECT_EQ(y.device(), Device("cuda:1"));
  EXPECT_EQ(elements(y * 2), (std::vector<double>{2, 4, 6, 8, 10, 12}));
}

TEST(To, CudaWithoutIndexIsTheCurrentDevice) {
  TENSORLIB_REQUIRE_TWO_GPUS();
  EXPECT_EQ(ones({1}).cuda().device().str(), "cuda:0");
  cuda::set_device(1);
  EXPECT_EQ(ones({1}).cuda().device().str(), "cuda:1");
  EXPECT_EQ(ones({1}, kCUDA).device().str(), "cuda:1");
  EXPECT_EQ(ones({1}).device().str(), "cpu");
  cuda::set_device(0);
}

TEST(To, NonBlockingCopiesArriveByTheTimeOfASynchronization) {
  TENSORLIB_REQUIRE_CUDA();
  const Tensor host = arange(1000, kFloat).pin_memory();
  EXPECT_TRUE(host.is_pinned());
  const Tensor there = host.to(kCUDA, /*non_blocking=*/true);
  const Tensor back = (there + 1).to(kCPU, /*non_blocking=*/true);
  EXPECT_TRUE(back.is_pinned());
  cuda::synchronize();
  EXPECT_EQ(elements(back), elements(host + 1));
}

TEST(To, PinnedMemoryIsNotReusedWhileACopyReadsIt) {
  TENSORLIB_REQUIRE_CUDA();
  Tensor there;
  {
    const Tensor host = full({4096}, 1.0).pin_memory();
    there = host.to(kCUDA, /*non_blocking=*/true);
  }
  // Would take the freed block, and the pending copy would read these.
  const Tensor other = full({4096}, 2.0).pin_memory();
  cuda::synchronize();
  EXPECT_EQ(there.max().item<float>(), 1);
  EXPECT_EQ(other.max().item<float>(), 2);
}

TEST(To, PinnedMemoryIsOfTheHost) {
  TENSORLIB_REQUIRE_CUDA();
  EXPECT_TRUE(empty({4}, TensorOptions().pinned_memory(true)).is_pinned());
  EXPECT_THROW((void)ones({2}).cuda().pin_memory(), Error);
}

TEST(Copy, FillsThisTensorFromAnotherDeviceTypeAndShape) {
  for (const Device& device : devices()) {
    const Tensor x = zeros({2, 3}, device);
    x.t().copy_(arange(3, kInt).view({3, 1}));
    EXPECT_EQ(elements(x), (std::vector<double>{0, 1, 2, 0, 1, 2}));
  }
  EXPECT_THROW(zeros({2}).copy_(zeros({3})), ShapeError);
}

TEST(Copy, CloneIsAnotherBlock) {
  for (const Device& device : devices()) {
    const Tensor x = arange(6, kFloat).view({2, 3}).to(device);
    const Tensor copy = x.t().clone();
    x.zero_();
    EXPECT_EQ(elements(copy), (std::vector<double>{0, 3, 1, 4, 2, 5}));
  }
}

TEST(Item, ReadsOneElement) {
  for (const Device& device : devices()) {
    EXPECT_EQ(tensor({1., 2.5}).to(device)[1].item<double>(), 2.5);
    EXPECT_EQ(tensor(true).to(device).item<bool>(), true);
    EXPECT_EQ(tensor(-3).to(device).item<int>(), -3);
    EXPECT_THROW((void)ones({2}, device).item<float>(), ShapeError);
  }
}

TEST(Device, NamesAndEquality) {
  EXPECT_EQ(Device("cuda:1"), Device(kCUDA, 1));
  EXPECT_EQ(Device("cpu"), Device(kCPU));
  EXPECT_EQ(Device("cuda").has_index(), false);
  EXPECT_NE(Device("cuda:0"), Device("cuda"));
  for (const char* bad :
       {"", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:1000", "cpu:1", "CUDA"}) {
    EXPECT_THROW((void)Device(std::string(bad)), Error) << bad;
  }
}

}  // namespace
}  // namespace tensorlib::testing
